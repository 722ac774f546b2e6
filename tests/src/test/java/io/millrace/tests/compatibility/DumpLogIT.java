package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

import io.millrace.log.CompactedLog;
import io.millrace.tests.program.KafkaRelease;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Kafka's own tool reads the files of a log: while it is written, after a kill, closed, and cleaned.
class DumpLogIT {
    private static final List<Compression> CODECS = List.of(Compression.NONE, Compression.gzip().build(), Compression
            .snappy().build(), Compression.lz4().build(), Compression.zstd().build());
    private static final List<String> COMPLAINTS = List.of("Mismatches", "mismatch", "not found", "out of order",
            "Index sanity check failed", "Corrupt", "invalid", "Exception", "trailing");

    @TempDir
    Path root;

    @ParameterizedTest
    @EnumSource(value = KafkaRelease.class, names = {"KAFKA_3_9", "KAFKA_4_4"})
    void itHasNoComplaint(KafkaRelease release) throws IOException {
        var log = new CompactedLog(root).open();
        fill(log, 0);
        dump(release, log, "written", false);
        log.clean();
        fill(log, 20);
        log.pass(10_000);
        log.clean();
        dump(release, log, "cleaned", true);
        log.log().close();
        dump(release, log, "closed", true);
    }

    private static void fill(CompactedLog log, int firstSequence) throws IOException {
        int sequence = firstSequence;
        for (int i = 0; i < 200; i++) {
            log.codec(CODECS.get(i % CODECS.size()));
            log.put("a" + i % 7 + "=" + "v".repeat(30 + i % 40), "b" + i + "=1", "b" + i + "=");
            log.pass(1 + i % 3);
            if (i % 10 == 0) {
                log.putInTransaction(7, sequence++, "t=" + i);
                log.end(7, i % 20 == 0 ? ControlRecordType.ABORT : ControlRecordType.COMMIT);
            }
        }
    }

    /// @param trimmed whether no index is still written to: such a one has room at its end, as Kafka's has, which the sanity
    ///        check takes for entries
    private static void dump(KafkaRelease release, CompactedLog log, String when, boolean trimmed) throws IOException {
        List<Path> files;
        try (var all = Files.list(log.directory())) {
            files = all.sorted().filter(file -> file.toString().matches(
                    ".*\\.(log|index|timeindex|txnindex|snapshot)")).toList();
        }
        // It also tells of gaps, which a cleaned log has.
        var names = files.stream().map(Path::toString).collect(Collectors.joining(","));
        assertThat(files).as(when).hasSizeGreaterThan(8);
        var result = release.dumpLog().with("--deep-iteration", "--files", names).run().succeeded();
        assertThat(result.all()).as(when).doesNotContain(COMPLAINTS);
        if (!trimmed) {
            return;
        }
        var indexes = files.stream().map(Path::toString).filter(file -> file.endsWith("index")).collect(Collectors
                .joining(","));
        var sanity = release.dumpLog().with("--index-sanity-check", "--files", indexes).run().succeeded();
        assertThat(sanity.all()).as(when).doesNotContain(COMPLAINTS);
    }
}
