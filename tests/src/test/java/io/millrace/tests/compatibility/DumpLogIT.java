package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.millrace.log.CompactedLog;
import io.millrace.tests.program.DumpedLogs;
import io.millrace.tests.program.KafkaRelease;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Kafka's own tool reads the files of a log: while it is written, cleaned, and cut.
class DumpLogIT {
    private static final List<Compression> CODECS = List.of(Compression.NONE, Compression.gzip().build(), Compression
            .snappy().build(), Compression.lz4().build(), Compression.zstd().build());

    @TempDir
    Path root;

    @ParameterizedTest
    @EnumSource(value = KafkaRelease.class, names = {"KAFKA_3_9", "KAFKA_4_4"})
    void itHasNoComplaint(KafkaRelease release) throws IOException {
        var log = new CompactedLog(root).open();
        fill(log, 0);
        dump(release, log, "written");
        log.clean();
        fill(log, 20);
        log.pass(10_000);
        log.clean();
        log.log().truncateTo(log.log().logEndOffset() - 30);
        dump(release, log, "cleaned and cut");
        log.log().close();
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

    private static void dump(KafkaRelease release, CompactedLog log, String when) {
        var files = DumpedLogs.below(log.directory());
        assertThat(files.size()).as(when).isGreaterThan(8);
        files.areReadWithoutComplaintBy(release);
    }
}
