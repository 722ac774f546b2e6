package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.millrace.log.CompactedLog.Seen;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The disk fails, or the process ends, at each step of a clean in turn: after the next start the log says what it said.
class CompactionCrashTest {
    private static final Map<String, String> TABLE = Map.of("a0", "v57", "a1", "v58", "a2", "v59", "t", "2", "z", "1");

    @TempDir
    Path root;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCrashAtAnyStepOfACleanLeavesAValidLog(boolean synced) throws IOException {
        int failures = 0;
        for (int step = 0; step == failures; step++) {
            if (!cleansAfter(step, synced)) {
                failures++;
            }
        }
        assertThat(failures).isGreaterThan(20);
    }

    /// @return whether the clean got by with so many changes of the disk
    private boolean cleansAfter(int steps, boolean synced) throws IOException {
        var it = new CompactedLog(root.resolve("after-" + steps));
        var disk = new FailingDisk();
        it.fixture.disk = disk;
        it.open();
        fill(it);
        if (synced) {
            it.log().flush();
        }
        var expected = it.table();
        long end = it.log().logEndOffset();
        assertThat(expected).isEqualTo(TABLE);

        disk.failWritesAfter(steps);
        boolean cleaned = it.cleaner().cleanNext();
        assertThat(it.fixture.failures.isEmpty()).isEqualTo(cleaned);

        it.fixture.disk = new FailingDisk();
        it.fixture.failures.clear();
        it.fixture.crash();
        assertThat(it.log().logEndOffset()).as("after %d changes", steps).isEqualTo(end);
        assertThat(it.table()).as("after %d changes", steps).isEqualTo(expected);
        assertThat(it.records()).as("offsets go up").extracting(Seen::offset).isSorted();
        assertThat(it.fixture.files()).noneMatch(name -> name.endsWith(".cleaned") || name.endsWith(".swap"));
        cleanAgain(it, expected);
        return cleaned;
    }

    private static void cleanAgain(CompactedLog it, Map<String, String> expected) throws IOException {
        it.cleaner().run();
        assertThat(it.table()).isEqualTo(expected);
        assertThat(it.records()).hasSameSizeAs(expected.entrySet());
        assertThat(it.markers()).hasSize(2);
        assertThat(it.fixture.failures).isEmpty();
    }

    private static void fill(CompactedLog it) throws IOException {
        it.put("t=1");
        for (int i = 0; i < 60; i++) {
            it.put("a" + i % 3 + "=v" + i);
            if (i == 20) {
                it.putInTransaction(7, 0, "a0=never", "t=never");
                it.end(7, ControlRecordType.ABORT);
            }
            if (i == 40) {
                it.putInTransaction(7, 2, "t=2");
                it.end(7, ControlRecordType.COMMIT);
            }
        }
        it.put("z=1");
        it.log().roll();
        assertThat(List.of(it.log().segmentCount())).allMatch(count -> count > 3);
    }
}
