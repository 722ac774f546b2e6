package io.millrace.log.batch;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/// Kafka's checks on what a leader appends, in Kafka's order and with its codes.
public final class BatchCheck {
    private static final int CODECS = CompressionType.values().length;

    private final BatchRules rules;
    private final AppendOrigin origin;

    public BatchCheck(BatchRules rules, AppendOrigin origin) {
        this.rules = rules;
        this.origin = origin;
    }

    /// Checks the batches and gives each the time that the topic wants: that of the log, or the latest of its records.
    ///
    /// @param now milliseconds since 1970, of the log
    /// @throws LogRefused with Kafka's code
    public void run(List<Batch> batches, long now) {
        if (origin == AppendOrigin.CLIENT && batches.size() != 1) {
            throw new LogRefused(Errors.INVALID_RECORD, "a producer sends exactly one batch for a partition, not "
                    + batches.size());
        }
        for (var batch : batches) {
            intact(batch);
        }
        for (var batch : batches) {
            header(batch);
            var recordRules = new RecordRules(rules, now, batch.isLogAppendTime());
            long maxTimestamp = records(batch, recordRules);
            recordRules.finish();
            if (rules.logAppendTime()) {
                batch.assignLogAppendTime(now);
            } else {
                batch.assignCreateTime(maxTimestamp);
            }
        }
    }

    /// Whether to check it means to decompress it.
    public static boolean decompresses(Batch batch, BatchRules rules) {
        return batch.codecId() != 0 && !batch.isControl() && RecordRules.any(rules);
    }

    private void intact(Batch batch) {
        if (origin == AppendOrigin.CLIENT && batch.baseOffset() != 0) {
            throw invalid("the base offset of a batch to append is 0, not " + batch.baseOffset());
        }
        if (batch.sizeBytes() > rules.maxMessageBytes()) {
            throw new LogRefused(Errors.MESSAGE_TOO_LARGE, "a batch of %d bytes is larger than max.message.bytes %d"
                    .formatted(batch.sizeBytes(), rules.maxMessageBytes()));
        }
        if (!batch.hasValidCrc()) {
            throw new LogRefused(Errors.CORRUPT_MESSAGE, "the batch says CRC %08x, its bytes have %08x".formatted(batch
                    .crc(), batch.computeCrc()));
        }
    }

    private void header(Batch batch) {
        if (batch.codecId() >= CODECS) {
            throw new LogRefused(Errors.UNSUPPORTED_COMPRESSION_TYPE, "there is no compression " + batch.codecId());
        }
        if (origin != AppendOrigin.CLIENT) {
            return;
        }
        if (batch.lastOffsetDelta() < 0) {
            throw invalid("the batch ends %d before it begins".formatted(-(long) batch.lastOffsetDelta()));
        }
        if (batch.count() <= 0) {
            throw invalid("the batch says that it has %d records".formatted(batch.count()));
        }
        if (batch.lastOffsetDelta() + 1L != batch.count()) {
            throw invalid("the batch has %d records on %d offsets".formatted(batch.count(), batch.lastOffsetDelta()
                    + 1L));
        }
        if (batch.isControl()) {
            throw invalid("clients do not write control records");
        }
        if (batch.hasProducerId() && batch.baseSequence() < 0) {
            throw invalid("sequence %d of producer %d".formatted(batch.baseSequence(), batch.producerId()));
        }
    }

    /// @return the time that the header should say
    private long records(Batch batch, RecordRules recordRules) {
        if (batch.isControl()) {
            return batch.maxTimestamp();
        }
        if (batch.codecId() == 0) {
            return new RecordWalk(batch, recordRules).run();
        }
        if (recordRules.any() && batch.count() > 0) {
            return decompressed(batch, recordRules);
        }
        if (recordRules.logAppendTimeBit() && rules.logAppendTime()) {
            throw recordRules.refused(Errors.INVALID_TIMESTAMP, 0,
                    "a producer must not set the timestamp type LogAppendTime");
        }
        return batch.maxTimestamp();
    }

    private static long decompressed(Batch batch, RecordRules recordRules) {
        long maxTimestamp = Batch.NO_TIMESTAMP;
        int index = 0;
        try (var supplier = BufferSupplier.create()) {
            var parsed = MemoryRecords.readableRecords(batch.bytes()).batches().iterator().next();
            try (var records = parsed.skipKeyValueIterator(supplier)) {
                while (records.hasNext()) {
                    var record = records.next();
                    if (record.offset() - batch.baseOffset() != index) {
                        throw recordRules.refused(Errors.INVALID_RECORD, index, "record %d has offset delta %d"
                                .formatted(index, record.offset() - batch.baseOffset()));
                    }
                    recordRules.check(index, record.timestamp(), record.hasKey());
                    maxTimestamp = Math.max(maxTimestamp, record.timestamp());
                    index++;
                }
            }
        } catch (KafkaException | IllegalArgumentException unreadable) {
            throw invalid("the batch cannot be decompressed: " + causes(unreadable));
        }
        return maxTimestamp;
    }

    private static String causes(Throwable failure) {
        return Arrays.stream(new Throwable[]{failure, failure.getCause()}).filter(each -> each != null).map(
                Throwable::toString).collect(Collectors.joining(", by "));
    }

    private static LogRefused invalid(String message) {
        return new LogRefused(Errors.INVALID_RECORD, message);
    }
}
