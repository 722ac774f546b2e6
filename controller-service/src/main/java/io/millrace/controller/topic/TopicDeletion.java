package io.millrace.controller.topic;

import java.util.Optional;

import io.millrace.metadata.command.DeleteTopics.TopicRef;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// Whether a topic may be deleted.
public final class TopicDeletion {
    private final TopicRules rules;

    public TopicDeletion(TopicRules rules) {
        this.rules = rules;
    }

    /// @throws Refused with Kafka's code and text
    public TopicImage plan(TopicRef wanted, ClusterImage image) {
        if (!rules.deletionEnabled()) {
            throw new Refused(Errors.TOPIC_DELETION_DISABLED, "Topic deletion is disabled.");
        }
        var name = wanted.name();
        if (name != null) {
            return image.topic(name).orElseThrow(() -> new Refused(Errors.UNKNOWN_TOPIC_OR_PARTITION,
                    "This server does not host this topic-partition."));
        }
        var id = wanted.id();
        return (id == null ? Optional.<TopicImage>empty() : image.topic(id)).orElseThrow(() -> new Refused(
                Errors.UNKNOWN_TOPIC_ID, "This server does not host this topic ID."));
    }
}
