package io.millrace.metadata.command;

import java.util.List;
import java.util.UUID;

/// Log directories of a broker failed: the replicas in them cannot be used until its next life. Harmless when repeated;
/// partitions that are not there are passed over. Refused with STALE_BROKER_EPOCH or BROKER_ID_NOT_REGISTERED as
/// [AlterPartition] is.
///
/// Nobody writes it down: the controller keeps it with the broker ([io.millrace.metadata.image.NodeImage#failedReplicas]) as
/// long as it is in office, and the broker says it again whenever the image that it gets does not show it.
///
/// @param brokerId that the directories are of
/// @param brokerEpoch czxid of its registration
public record ReplicasOffline(int brokerId, long brokerEpoch, List<TopicPartitions> topics)
        implements
            Command<ReplicasOffline.Result> {
    public ReplicasOffline {
        topics = List.copyOf(topics);
    }

    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// Partitions of one topic.
    public record TopicPartitions(UUID topicId, List<Integer> partitions) {
        public TopicPartitions {
            partitions = List.copyOf(partitions);
        }
    }

    /// It is known now.
    public record Result() {}
}
