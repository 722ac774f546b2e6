package io.millrace.broker.fetch;

import io.millrace.broker.partition.Partition;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.jspecify.annotations.Nullable;

/// One partition of a fetch and the answer for it.
///
/// @param partition null where it is not on this broker
record Answered(FetchItem item, @Nullable Partition partition, PartitionData data) {

    /// Bytes of records in it.
    int sizeBytes() {
        return data.records() == null ? 0 : data.records().sizeInBytes();
    }
}
