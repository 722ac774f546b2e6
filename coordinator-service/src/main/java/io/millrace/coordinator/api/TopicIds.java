package io.millrace.coordinator.api;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.Errors;

/// Translates between the ids by which clients fetch offsets and the names under which they are stored.
final class TopicIds {
    private static final long NO_OFFSET = -1;

    private final ClusterImage image;

    TopicIds(ClusterImage image) {
        this.image = image;
    }

    /// Names the topics of `group`, and takes out those that are not there.
    ///
    /// @return the answer to those taken out
    List<OffsetFetchResponseTopics> name(OffsetFetchRequestGroup group) {
        var unknown = new ArrayList<OffsetFetchResponseTopics>();
        if (group.topics() == null) {
            return unknown;
        }
        var known = new ArrayList<OffsetFetchRequestTopics>();
        for (var topic : group.topics()) {
            var id = new UUID(topic.topicId().getMostSignificantBits(), topic.topicId().getLeastSignificantBits());
            image.topics().topic(id).map(TopicImage::name).ifPresentOrElse(name -> known.add(topic.setName(name)),
                    () -> unknown.add(refused(topic)));
        }
        group.setTopics(known);
        return unknown;
    }

    /// Adds ids to the topics of `answer`; those that are no longer there cannot be told, and are left out.
    void identify(OffsetFetchResponseGroup answer) {
        var topics = new ArrayList<OffsetFetchResponseTopics>();
        for (var topic : answer.topics()) {
            image.topics().topic(topic.name()).map(TopicImage::id).ifPresent(id -> topics.add(
                    topic.setTopicId(new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits()))));
        }
        answer.setTopics(topics);
    }

    private static OffsetFetchResponseTopics refused(OffsetFetchRequestTopics topic) {
        var partitions = topic.partitionIndexes().stream()
                .map(partition -> new OffsetFetchResponsePartitions().setPartitionIndex(partition)
                        .setCommittedOffset(NO_OFFSET).setMetadata("").setErrorCode(Errors.UNKNOWN_TOPIC_ID.code()))
                .toList();
        return new OffsetFetchResponseTopics().setTopicId(topic.topicId()).setPartitions(partitions);
    }
}
