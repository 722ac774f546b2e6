package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

import io.millrace.base.loop.Timeout;
import io.millrace.coordinator.group.ClientIdentity;
import io.millrace.coordinator.record.Partitions;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData.TopicPartitions;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// A consumer as Java's: it reports, gives up what it is told to and says so, takes what it is given. Its network delays,
/// loses and repeats; it may pause and crash.
final class ModelConsumer {
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    final String id;
    private final ShardWorld world;
    private final Random random;
    private final List<String> topics;
    private final double trouble;
    private final Runnable changed;
    private Partitions owned = Partitions.NONE;
    private Partitions told = Partitions.NONE;
    private int epoch;
    private long requests;
    private boolean complete = true;
    private boolean reconciling;
    private boolean alive = true;
    private boolean paused;
    private Timeout next = () -> {};

    /// @param trouble share of messages that get lost, and of those that come twice
    /// @param changed run when it has taken or given up partitions
    ModelConsumer(String id, ShardWorld world, Random random, List<String> topics, double trouble,
            Runnable changed) {
        this.id = id;
        this.world = world;
        this.random = random;
        this.topics = topics;
        this.trouble = trouble;
        this.changed = changed;
        send();
    }

    Partitions owned() {
        return owned;
    }

    boolean isAlive() {
        return alive;
    }

    /// It dies and says nothing.
    void crash() {
        alive = false;
        next.cancel();
    }

    void pause() {
        paused = true;
        next.cancel();
    }

    void resume() {
        if (alive && paused) {
            paused = false;
            complete = true;
            send();
        }
    }

    void leave() {
        crash();
        owned = Partitions.NONE;
        deliver(base().setMemberEpoch(-1), _ -> {});
    }

    private ConsumerGroupHeartbeatRequestData base() {
        return new ConsumerGroupHeartbeatRequestData().setGroupId("g").setMemberId(id).setMemberEpoch(epoch);
    }

    private void send() {
        if (!alive || paused) {
            return;
        }
        long number = ++requests;
        var request = base();
        if (complete || epoch == 0) {
            request.setSubscribedTopicNames(topics).setRebalanceTimeoutMs(30_000);
        }
        if (complete || epoch == 0 || !reconciling) {
            request.setTopicPartitions(epoch == 0 ? List.of() : spelled(owned));
        }
        next = world.loop.schedule(TIMEOUT, () -> {
            complete = true;
            send();
        });
        deliver(request, answer -> {
            if (number == requests && alive && !paused) {
                next.cancel();
                answered(answer);
            }
        });
    }

    private void deliver(ConsumerGroupHeartbeatRequestData request, Consumer<@Nullable Object> then) {
        int times = random.nextDouble() < trouble ? 0 : random.nextDouble() < trouble ? 2 : 1;
        boolean heard = random.nextDouble() >= trouble;
        var delay = Duration.ofMillis(random.nextInt(20));
        for (int time = 0; time < times; time++) {
            // A repetition follows at once: later it would come behind what the same connection carried since.
            world.loop.schedule(delay, () -> world.shard.call(active -> active.heartbeat(request.duplicate(), 1,
                    new ClientIdentity(id, "/h"))).whenComplete((answer, failure) -> world.loop.schedule(
                            Duration.ofMillis(random.nextInt(20)), () -> {
                                if (heard) {
                                    then.accept(failure == null ? answer : Failures.errorOf(failure));
                                }
                            })));
        }
    }

    private void answered(@Nullable Object answer) {
        if (answer instanceof ConsumerGroupHeartbeatResponseData response) {
            switch (Errors.forCode(response.errorCode())) {
                case NONE -> accepted(response);
                case UNKNOWN_MEMBER_ID, FENCED_MEMBER_EPOCH, GROUP_ID_NOT_FOUND -> {
                    owned = Partitions.NONE;
                    told = Partitions.NONE;
                    epoch = 0;
                    reconciling = false;
                    again(Duration.ofMillis(100));
                }
                default -> again(Duration.ofMillis(200));
            }
        } else {
            again(Duration.ofMillis(200));
        }
    }

    private void accepted(ConsumerGroupHeartbeatResponseData response) {
        epoch = response.memberEpoch();
        complete = false;
        if (response.assignment() != null) {
            var byTopic = new HashMap<Uuid, List<Integer>>();
            response.assignment().topicPartitions().forEach(topic -> byTopic.put(topic.topicId(), topic.partitions()));
            told = Partitions.of(byTopic);
        }
        if (!told.equals(owned) && !reconciling) {
            reconciling = true;
            boolean revokes = !owned.minus(told).isEmpty();
            world.loop.schedule(Duration.ofMillis(revokes ? random.nextInt(4000) : 1), this::reconciled);
        }
        again(INTERVAL);
    }

    private void reconciled() {
        if (alive && reconciling) {
            reconciling = false;
            owned = told;
            changed.run();
            next.cancel();
            requests++;
            again(Duration.ofMillis(1));
        }
    }

    private void again(Duration wait) {
        next.cancel();
        next = world.loop.schedule(wait, this::send);
    }

    private static List<TopicPartitions> spelled(Partitions partitions) {
        return partitions.byTopic().entrySet().stream().map(topic -> new TopicPartitions().setTopicId(topic.getKey())
                .setPartitions(List.copyOf(topic.getValue()))).toList();
    }
}
