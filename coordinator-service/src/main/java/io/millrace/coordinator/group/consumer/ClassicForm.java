package io.millrace.coordinator.group.consumer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

import io.millrace.coordinator.record.Bytes;
import io.millrace.coordinator.record.Partitions;
import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerProtocolAssignment;
import org.apache.kafka.common.message.ConsumerProtocolSubscription;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;

/// What classic consumers say and are told in bytes of their own, by names of topics.
final class ClassicForm {
    private ClassicForm() {}

    /// A subscription.
    ///
    /// @param version in which it was written, and in which the member expects its assignment
    record Subscription(short version, List<String> topics, Partitions owned) {}

    /// Empty where the bytes are no consumer's subscription.
    static Optional<Subscription> subscription(Bytes bytes, TopicDirectory topics) {
        try {
            var buffer = ByteBuffer.wrap(bytes.array());
            short version = known(buffer.getShort(), ConsumerProtocolSubscription.HIGHEST_SUPPORTED_VERSION);
            var read = new ConsumerProtocolSubscription(new ByteBufferAccessor(buffer), version);
            var owned = new HashMap<Uuid, List<Integer>>();
            read.ownedPartitions().forEach(topic -> topics.named(topic.topic())
                    .ifPresent(found -> owned.put(TopicDirectory.id(found), topic.partitions())));
            return Optional.of(new Subscription(version, read.topics(), Partitions.of(owned)));
        } catch (RuntimeException notASubscription) {
            return Optional.empty();
        }
    }

    /// What an assignment gives; nothing where it is none.
    static Partitions assignment(Bytes bytes, TopicDirectory topics) {
        try {
            var buffer = ByteBuffer.wrap(bytes.array());
            short version = known(buffer.getShort(), ConsumerProtocolAssignment.HIGHEST_SUPPORTED_VERSION);
            var read = new ConsumerProtocolAssignment(new ByteBufferAccessor(buffer), version);
            var given = new HashMap<Uuid, List<Integer>>();
            read.assignedPartitions().forEach(topic -> topics.named(topic.topic())
                    .ifPresent(found -> given.put(TopicDirectory.id(found), topic.partitions())));
            return Partitions.of(given);
        } catch (RuntimeException notAnAssignment) {
            return Partitions.NONE;
        }
    }

    static Bytes assignment(Partitions partitions, short version, TopicDirectory topics) {
        var assignment = new ConsumerProtocolAssignment();
        partitions.byTopic().forEach((id, numbers) -> topics.of(id).map(TopicImage::name)
                .ifPresent(name -> assignment.assignedPartitions().add(new ConsumerProtocolAssignment.TopicPartition()
                        .setTopic(name).setPartitions(new ArrayList<>(numbers)))));
        var buffer = MessageUtil.toVersionPrefixedByteBuffer(known(version,
                ConsumerProtocolAssignment.HIGHEST_SUPPORTED_VERSION), assignment);
        var bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return Bytes.of(bytes);
    }

    /// A newer version only adds fields at the end, by the rules of that protocol.
    private static short known(short version, short highest) {
        if (version < ConsumerProtocolSubscription.LOWEST_SUPPORTED_VERSION) {
            throw new IllegalArgumentException("version " + version);
        }
        return (short) Math.min(version, highest);
    }
}
