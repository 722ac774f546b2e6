package io.millrace.broker.transaction;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.millrace.wire.api.CoordinatorEpoch;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/// A coordinator's word for each partition that it was asked about.
///
/// @param coordinatorEpoch in which it said so; [CoordinatorEpoch#NOT_TOLD] where that is not known
public record CoordinatorAnswer(Map<TopicPartition, Errors> errors, int coordinatorEpoch) {

    static CoordinatorAnswer all(Set<TopicPartition> partitions, Errors error) {
        var errors = new HashMap<TopicPartition, Errors>();
        partitions.forEach(partition -> errors.put(partition, error));
        return new CoordinatorAnswer(errors, CoordinatorEpoch.NOT_TOLD);
    }
}
