package io.millrace.coordinator.group.consumer;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import io.millrace.coordinator.group.ClientIdentity;
import io.millrace.coordinator.group.consumer.ConsumerRules.Migration;
import io.millrace.coordinator.record.Partitions;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.image.TopicsImage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData.TopicPartitions;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// A consumer group on the table: requests in, answers out, records stored at once.
final class GroupPlay {
    static final Uuid A = new Uuid(0, 1);
    static final Uuid B = new Uuid(0, 2);
    private static final ClientIdentity CLIENT = new ClientIdentity("c", "/h");

    private final ConsumerMachine machine;
    private final Map<ConsumerTimer, ConsumerEffect.Arm> timers = new HashMap<>();
    private final Map<Long, ApiMessage> answers = new HashMap<>();
    private TopicsImage image = TopicsImage.EMPTY;
    private TopicDirectory topics = TopicDirectory.EMPTY;
    private long tickets;
    ConsumerGroup group = ConsumerGroup.empty("g");
    ConsumerStep last = new ConsumerStep(List.of(), group, List.of(), "", false);

    GroupPlay() {
        this(new ConsumerRules(List.of(Assignor.UNIFORM, Assignor.RANGE), 3, Migration.BIDIRECTIONAL));
    }

    GroupPlay(ConsumerRules rules) {
        machine = new ConsumerMachine(rules);
    }

    GroupPlay topic(String name, Uuid id, int partitions) {
        image = image.with(new TopicImage(name, new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()),
                IntStream.range(0, partitions).mapToObj(number -> new PartitionImage(number, List.of(0), List.of(0),
                        List
                                .of(), List.of(), 0, 0, 0)).toList()));
        topics = topics.with(image, Set.of(name));
        return this;
    }

    /// A member's first request.
    static ConsumerGroupHeartbeatRequestData join(String member, String... names) {
        return new ConsumerGroupHeartbeatRequestData().setGroupId("g").setMemberId(member).setMemberEpoch(0)
                .setRebalanceTimeoutMs(60_000).setSubscribedTopicNames(List.of(names)).setTopicPartitions(List.of());
    }

    /// A report of what it has; null where it does not say.
    static ConsumerGroupHeartbeatRequestData report(String member, int epoch, @Nullable Partitions owned) {
        var request = new ConsumerGroupHeartbeatRequestData().setGroupId("g").setMemberId(member)
                .setMemberEpoch(epoch);
        return owned == null
                ? request
                : request.setTopicPartitions(owned.byTopic().entrySet().stream().map(topic -> new TopicPartitions()
                        .setTopicId(topic.getKey()).setPartitions(List.copyOf(topic.getValue()))).toList());
    }

    ConsumerGroupHeartbeatResponseData ask(ConsumerGroupHeartbeatRequestData request) {
        return together(request).getFirst();
    }

    /// Requests that are decided in one step.
    List<ConsumerGroupHeartbeatResponseData> together(ConsumerGroupHeartbeatRequestData... requests) {
        long first = tickets + 1;
        happen(Arrays.stream(requests).<ConsumerEvent>map(request -> new ConsumerEvent.Heartbeat(++tickets,
                request, CLIENT, "fresh")).toList());
        return IntStream.range(0, requests.length)
                .mapToObj(place -> (ConsumerGroupHeartbeatResponseData) Objects.requireNonNull(answers.remove(
                        first + place)))
                .toList();
    }

    /// The timer runs out.
    void expire(ConsumerTimer timer) {
        happen(List.of(Objects.requireNonNull(timers.remove(timer)).event()));
    }

    boolean runs(ConsumerTimer timer) {
        return timers.containsKey(timer);
    }

    private void happen(List<ConsumerEvent> events) {
        last = machine.step(group, events, new ConsumerContext(topics, new ConsumerTerms(45_000, 5_000), 9));
        group = last.group();
        for (var effect : last.effects()) {
            switch (effect) {
                case ConsumerEffect.Answer(var ticket, var response) -> answers.put(ticket, response);
                case ConsumerEffect.Arm arm -> timers.put(arm.timer(), arm);
                case ConsumerEffect.ArmUnlessRunning(var timer, var delay, var event) ->
                    timers.putIfAbsent(timer, new ConsumerEffect.Arm(timer, delay, event));
                case ConsumerEffect.Disarm(var timer) -> timers.remove(timer);
            }
        }
    }

    static Errors error(ConsumerGroupHeartbeatResponseData answer) {
        return Errors.forCode(answer.errorCode());
    }

    /// What the answer gives; null where it says nothing of it.
    static @Nullable Partitions given(ConsumerGroupHeartbeatResponseData answer) {
        if (answer.assignment() == null) {
            return null;
        }
        var byTopic = new HashMap<Uuid, List<Integer>>();
        answer.assignment().topicPartitions().forEach(topic -> byTopic.put(topic.topicId(), topic.partitions()));
        return Partitions.of(byTopic);
    }

    static Partitions part(Uuid topic, Integer... partitions) {
        return Partitions.of(Map.of(topic, List.of(partitions)));
    }
}
