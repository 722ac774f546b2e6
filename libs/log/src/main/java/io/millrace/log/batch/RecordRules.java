package io.millrace.log.batch;

import java.util.List;

import org.apache.kafka.common.protocol.Errors;

/// What the topic's settings ask of every single record.
///
/// @param now milliseconds since 1970
/// @param logAppendTimeBit whether the producer says that its batch has the time of the log
record RecordRules(BatchRules batch, long now, boolean logAppendTimeBit) {
    /// Whether records have to be looked at even where that means to decompress them.
    boolean any() {
        return batch.keysNeeded() || (!batch.logAppendTime() && isTimeLimited());
    }

    private boolean isTimeLimited() {
        return batch.timestampBeforeMaxMs() != Long.MAX_VALUE || batch.timestampAfterMaxMs() != Long.MAX_VALUE;
    }

    /// @throws LogRefused INVALID_RECORD for a missing key, INVALID_TIMESTAMP for a time outside of the limits
    void check(int index, long timestamp, boolean hasKey) {
        if (batch.keysNeeded() && !hasKey) {
            throw refused(Errors.INVALID_RECORD, index, "a compacted topic does not take a record without a key");
        }
        if (!batch.logAppendTime() && timestamp != Batch.NO_TIMESTAMP) {
            if (tooOld(timestamp) || tooNew(timestamp)) {
                throw refused(Errors.INVALID_TIMESTAMP, index,
                        "timestamp %d is out of range: broker time %d, at most %d before and %d after it are allowed"
                                .formatted(timestamp, now, batch.timestampBeforeMaxMs(), batch
                                        .timestampAfterMaxMs()));
            }
        } else if (logAppendTimeBit) {
            throw refused(Errors.INVALID_TIMESTAMP, index, "a producer must not set the timestamp type LogAppendTime");
        }
    }

    LogRefused refused(Errors error, int index, String message) {
        return new LogRefused(error, message, List.of(new LogRefused.RecordError(index, message)));
    }

    // Both are written so that no wild time overflows: `now` and the limits are not negative.
    private boolean tooOld(long timestamp) {
        return timestamp < now - batch.timestampBeforeMaxMs();
    }

    private boolean tooNew(long timestamp) {
        return timestamp > now && timestamp - now > batch.timestampAfterMaxMs();
    }
}
