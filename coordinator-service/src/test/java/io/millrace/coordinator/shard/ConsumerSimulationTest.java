package io.millrace.coordinator.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.coordinator.record.Partitions;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Member;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A consumer group under faults, on virtual time: members crash, pause, leave and come; messages get lost and come twice;
/// appends fail, get lost and are heard of by nobody; the shard moves; topics grow. At no moment have two members of the
/// group the same partition, and once it is quiet everything has one reader.
class ConsumerSimulationTest {
    private static final int MOST = 6;

    private final ShardWorld world = new ShardWorld();
    private final List<ModelConsumer> consumers = new ArrayList<>();
    private final HashMap<String, Integer> sizes = new HashMap<>();
    private final HashMap<String, Uuid> ids = new HashMap<>();
    private final OffsetLedger ledger = new OffsetLedger(world.loop);
    private Shard<GroupShard> former = world.shard;
    private int epoch = 1;
    private int named;

    static LongStream seeds() {
        return Seeds.of(40);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void noPartitionHasTwoOwnersAndInTheEndEachHasOne(long seed) {
        var random = new Random(seed);
        grow("a", 1 + random.nextInt(6));
        grow("b", 1 + random.nextInt(6));
        world.own(epoch);
        for (int event = 0; event < 150; event++) {
            happen(random);
            ledger.write(world.shard);
            ledger.read(random.nextBoolean() ? world.shard : former);
            world.loop.advance(Duration.ofMillis(random.nextInt(3000)));
            ledger.check();
        }
        world.storage.failNoMore();
        consumers.forEach(ModelConsumer::resume);
        consumers.add(consumer(random, 0));
        world.loop.advance(Duration.ofMinutes(4));

        assertThat(ledger.told()).as("offsets that were told").isPositive();
        var group = describe();
        assertThat(group.groupState()).isEqualTo("Stable");
        var living = consumers.stream().filter(ModelConsumer::isAlive).toList();
        assertThat(group.members().stream().map(Member::memberId)).containsExactlyInAnyOrderElementsOf(
                living.stream().map(consumer -> consumer.id).toList());
        var all = living.stream().map(ModelConsumer::owned).reduce(Partitions.NONE, Partitions::plus);
        assertThat(all.size()).isEqualTo(sizes.values().stream().mapToInt(Integer::intValue).sum());
    }

    private void happen(Random random) {
        var living = consumers.stream().filter(ModelConsumer::isAlive).toList();
        var one = living.isEmpty() ? null : living.get(random.nextInt(living.size()));
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> {
                if (living.size() < MOST) {
                    consumers.add(consumer(random, 0.05));
                }
            }
            case 3 -> {
                if (one != null) {
                    one.crash();
                }
            }
            case 4 -> {
                if (one != null) {
                    one.pause();
                }
            }
            case 5, 6 -> consumers.forEach(ModelConsumer::resume);
            case 7 -> {
                if (one != null) {
                    one.leave();
                }
            }
            case 8 -> world.storage.failAppend(random.nextBoolean()
                    ? Errors.NOT_ENOUGH_REPLICAS
                    : Errors.REQUEST_TIMED_OUT);
            case 9 -> world.storage.loseAnswer();
            case 10 -> {
                former = world.shard;
                var next = world.another();
                epoch++;
                if (random.nextBoolean()) {
                    next.standBy(epoch);
                    world.loop.advance(Duration.ofMillis(random.nextInt(2000)));
                }
                next.own(epoch);
                world.shard = next;
                if (random.nextBoolean()) {
                    former.disown();
                }
            }
            default -> grow(random.nextBoolean() ? "a" : "b", 1);
        }
    }

    private ModelConsumer consumer(Random random, double trouble) {
        return new ModelConsumer("c" + named++, world, random, List.of("a", "b"), trouble, this::check);
    }

    private void grow(String topic, int by) {
        int size = sizes.merge(topic, by, Integer::sum);
        ids.put(topic, world.topic(topic, size));
    }

    /// Of those that the group still counts as members, since one that was put out may not know it yet.
    private void check() {
        if (!(world.shard.state() instanceof ShardState.Active<GroupShard>(_, var active))) {
            return;
        }
        var members = active.describeConsumer("g").members().stream().map(Member::memberId).toList();
        var owners = new HashMap<String, String>();
        consumers.stream().filter(consumer -> members.contains(consumer.id)).forEach(consumer -> consumer.owned()
                .byTopic().forEach((topic, numbers) -> numbers.forEach(number -> {
                    var other = owners.put(topic + "-" + number, consumer.id);
                    assertThat(other).as("%s-%s of %s", topic, number, consumer.id).isNull();
                })));
    }

    private DescribedGroup describe() {
        var answer = world.call(active -> CompletableFuture.completedFuture(active.describeConsumer("g")));
        return Objects.requireNonNull(answer.join());
    }
}
