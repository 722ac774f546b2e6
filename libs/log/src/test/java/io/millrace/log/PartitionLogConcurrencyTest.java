package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batches;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.batch.TestBatch;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionLogConcurrencyTest {
    private static final int BATCHES = 1000;

    @TempDir
    Path root;

    @Test
    void readersFollowTheLogWithoutALockWhileItGrowsRollsAndForgets() throws Exception {
        var fixture = new LogFixture(root).set("retention.bytes", 20_000).set("retention.ms", -1).open();
        try (var threads = Executors.newFixedThreadPool(2)) {
            var readers = new ArrayList<Future<Long>>();
            for (int i = 0; i < 2; i++) {
                Callable<Long> reader = () -> follow(fixture.log);
                readers.add(threads.submit(reader));
            }

            for (int i = 0; i < BATCHES; i++) {
                fixture.log.append(TestBatch.batch().times((long) i).bytes(), 0, AppendOrigin.CLIENT);
                fixture.log.updateHighWatermark(fixture.log.logEndOffset());
                if (i % 50 == 0) {
                    fixture.log.deleteOldSegments();
                }
            }

            for (var reader : readers) {
                assertThat(reader.get(60, TimeUnit.SECONDS)).isEqualTo(BATCHES);
            }
        }
        assertThat(fixture.failures).isEmpty();
        fixture.log.close();
    }

    private static long follow(PartitionLog log) throws IOException {
        long next = 0;
        while (next < BATCHES) {
            try {
                long watermark = log.highWatermark();
                var slice = log.read(next, 2000, true, watermark).slice();
                if (slice == null) {
                    Thread.onSpinWait();
                    continue;
                }
                try (slice) {
                    var bytes = ByteBuffer.allocate(slice.size());
                    assertThat(slice.channel().read(bytes, slice.position())).isEqualTo(slice.size());
                    for (var batch : Batches.in(bytes.flip())) {
                        assertThat(batch.baseOffset()).isEqualTo(next).isLessThan(watermark);
                        assertThat(batch.hasValidCrc()).isTrue();
                        next = batch.lastOffset() + 1;
                    }
                }
            } catch (LogRefused forgotten) {
                assertThat(forgotten.error()).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
                next = log.logStartOffset();
            }
        }
        return next;
    }
}
