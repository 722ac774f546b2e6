package io.millrace.admin.record;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.admin.problem.ErrorBody;
import io.millrace.admin.record.ProduceRequest.DataType;
import org.jspecify.annotations.Nullable;

/// What became of one record.
///
/// @param errorCode 200 where it was written, with where it lies; else why not, with a message
@JsonInclude(JsonInclude.Include.NON_NULL)
record ProducedRecord(
        int errorCode,
        @Nullable String message,
        @Nullable String clusterId,
        @Nullable String topicName,
        @Nullable Integer partitionId,
        @Nullable Long offset,
        @Nullable Instant timestamp,
        @Nullable Data key,
        @Nullable Data value) {
    private static final int WRITTEN = 200;

    /// @param size bytes
    record Data(DataType type, int size) {}

    static ProducedRecord written(String clusterId, String topic, int partition, long offset, long timestampMillis,
            @Nullable Data key, @Nullable Data value) {
        return new ProducedRecord(WRITTEN, null, clusterId, topic, partition, offset, Instant.ofEpochMilli(
                timestampMillis), key, value);
    }

    static ProducedRecord refused(ErrorBody why) {
        return new ProducedRecord(why.errorCode(), why.message(), null, null, null, null, null, null, null);
    }
}
