package io.millrace.log.batch;

import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.common.protocol.Errors;

/// What the topic's settings ask of every single record of one batch. All records that are not as they ask are told together,
/// as in Kafka.
final class RecordRules {
    private static final int SHOWN = 3;

    private final BatchRules batch;
    private final long now;
    private final boolean logAppendTimeBit;
    private final List<LogRefused.RecordError> refused = new ArrayList<>(0);
    private boolean refusedForTime;

    /// @param now milliseconds since 1970
    /// @param logAppendTimeBit whether the producer says that its batch has the time of the log
    RecordRules(BatchRules batch, long now, boolean logAppendTimeBit) {
        this.batch = batch;
        this.now = now;
        this.logAppendTimeBit = logAppendTimeBit;
    }

    boolean logAppendTimeBit() {
        return logAppendTimeBit;
    }

    /// Whether records have to be looked at even where that means to decompress them.
    boolean any() {
        return any(batch);
    }

    static boolean any(BatchRules batch) {
        return batch.keysNeeded() || (!batch.logAppendTime() && isTimeLimited(batch));
    }

    private static boolean isTimeLimited(BatchRules batch) {
        return batch.timestampBeforeMaxMs() != Long.MAX_VALUE || batch.timestampAfterMaxMs() != Long.MAX_VALUE;
    }

    /// Looks at one record; [#finish] tells what was wrong.
    void check(int index, long timestamp, boolean hasKey) {
        if (batch.keysNeeded() && !hasKey) {
            refused.add(new LogRefused.RecordError(index, "a compacted topic does not take a record without a key"));
        } else if (!batch.logAppendTime() && timestamp != Batch.NO_TIMESTAMP) {
            if (tooOld(timestamp) || tooNew(timestamp)) {
                refuseForTime(index,
                        "timestamp %d is out of range: broker time %d, at most %d before and %d after it are allowed"
                                .formatted(timestamp, now, batch.timestampBeforeMaxMs(), batch
                                        .timestampAfterMaxMs()));
            }
        } else if (logAppendTimeBit) {
            refuseForTime(index, "a producer must not set the timestamp type LogAppendTime");
        }
    }

    private void refuseForTime(int index, String message) {
        refused.add(new LogRefused.RecordError(index, message));
        refusedForTime = true;
    }

    /// All records were looked at.
    ///
    /// @throws LogRefused INVALID_RECORD for missing keys, INVALID_TIMESTAMP where a time is outside of the limits
    void finish() {
        if (refusedForTime) {
            throw new LogRefused(Errors.INVALID_TIMESTAMP,
                    "One or more records have been rejected due to invalid timestamp", refused);
        }
        if (!refused.isEmpty()) {
            throw new LogRefused(Errors.INVALID_RECORD,
                    ("One or more records have been rejected due to %d record errors in total, and only showing the "
                            + "first three errors at most: %s").formatted(refused.size(), refused.subList(0, Math.min(
                                    SHOWN, refused.size()))), refused);
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
