package io.millrace.tests.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/// What Kafka's own tool says of the files of logs, closed or written to.
public final class DumpedLogs {
    private static final List<String> COMPLAINTS = List.of("Mismatches", "mismatch", "not found", "out of order",
            "Index sanity check failed", "Corrupt", "invalid", "Exception", "trailing");
    /// The tool prints a line for each record.
    private static final long MOST_BYTES = 1 << 20;
    private static final int MOST_FILES = 400;

    private final List<Path> files;

    private DumpedLogs(List<Path> files) {
        this.files = files;
    }

    /// Those below a folder: one log, a log directory, or many. Of large segments only the side files.
    public static DumpedLogs below(Path folder) {
        try (var all = Files.walk(folder)) {
            return new DumpedLogs(all.filter(file -> file.toString().matches(
                    ".*(?<!-delete|-future)/\\d{20}\\.(log|index|timeindex|txnindex|snapshot)")).filter(
                            DumpedLogs::isToRead).sorted()
                    .limit(MOST_FILES).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isToRead(Path file) {
        try {
            return !file.toString().endsWith(".log") || Files.size(file) <= MOST_BYTES;
        } catch (IOException _) {
            return false; // retention was faster
        }
    }

    /// How many files there are.
    public int size() {
        return files.size();
    }

    /// Every record is read, every index compared with what it leads to.
    public void areReadWithoutComplaintBy(KafkaRelease release) {
        check(release, List.of("--deep-iteration"), files);
        var indexes = files.stream().filter(file -> file.toString().matches(".*\\.(time)?index")).toList();
        if (!indexes.isEmpty()) {
            check(release, List.of("--index-sanity-check"), indexes);
            check(release, List.of("--verify-index-only"), indexes);
        }
    }

    private static void check(KafkaRelease release, List<String> options, List<Path> what) {
        var names = what.stream().map(Path::toString).collect(Collectors.joining(","));
        var result = release.dumpLog().with(options.toArray(String[]::new)).with("--files", names).run().succeeded();
        var said = result.all();
        for (var file : what) {
            // A topic may be named like a complaint.
            said = said.replace(file.toString(), "FILE");
        }
        var told = said;
        assertThat(COMPLAINTS).as("complaints of %s %s", release, options).noneSatisfy(complaint -> assertThat(told)
                .contains(complaint));
    }
}
