package io.millrace.coordinator.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.millrace.coordinator.record.Bytes;
import io.millrace.coordinator.record.CommittedOffset;
import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.EpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetPut;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.GroupPut;
import io.millrace.coordinator.record.GroupRecord.OffsetPut;
import io.millrace.coordinator.record.GroupRecordCodec;
import io.millrace.coordinator.record.GroupSnapshot;
import io.millrace.coordinator.record.MemberAssignment;
import io.millrace.coordinator.record.MemberAssignment.State;
import io.millrace.coordinator.record.MemberMetadata;
import io.millrace.coordinator.record.MemberSnapshot;
import io.millrace.coordinator.record.Partitions;
import io.millrace.coordinator.storage.StoredRecord;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/// What a coordinator that is alone with all groups of a large cluster needs of its heap: 10,000 groups, half of them of
/// either protocol, with 100,000 members and 1,000,000 offsets.
class BoundsTest {
    private static final int GROUPS = 10_000;
    private static final int MEMBERS = 10;
    private static final int TOPICS = 2;
    private static final int PARTITIONS = 50;
    /// Half of what such a coordinator is given: the rest is for requests, batches and garbage.
    private static final long MOST_BYTES = 1L << 30;
    private static final int SUBSCRIPTION_BYTES = 100;

    private final ShardWorld world = new ShardWorld();
    private long offset;

    @Test
    void oneCoordinatorHasRoomForAllGroupsOfALargeCluster() {
        world.own(1);
        var topic = world.topic("topic-0", PARTITIONS);
        long before = usedBytes();

        var listed = world.call(shard -> {
            for (int group = 0; group < GROUPS; group++) {
                fill(shard, "group-" + group, group % 2 == 0, topic);
            }
            return CompletableFuture.completedFuture(shard.list());
        }).join();
        long used = usedBytes() - before;

        assertThat(listed).hasSize(GROUPS);
        assertThat(world.gauge("kafka.coordinator.group.groupmetadatamanager.numoffsets")).isEqualTo(GROUPS * TOPICS
                * PARTITIONS);
        assertThat(used).as("bytes of heap").isLessThan(MOST_BYTES);
    }

    private void fill(GroupShard shard, String group, boolean classic, Uuid topic) {
        if (classic) {
            var members = IntStream.range(0, MEMBERS).mapToObj(i -> new MemberSnapshot(member(group, i), null,
                    "client-" + i, "/127.0.0.1", 300_000, 45_000, Bytes.of(new byte[SUBSCRIPTION_BYTES]), Bytes.of(
                            new byte[SUBSCRIPTION_BYTES]))).toList();
            replay(shard, new GroupPut(group, new GroupSnapshot("consumer", 5, "range", members.getFirst().memberId(),
                    1_700_000_000_000L, members)));
        } else {
            replay(shard, new EpochPut(group, 5, 0));
            for (int i = 0; i < MEMBERS; i++) {
                var share = Partitions.of(Map.of(topic, IntStream.range(i * PARTITIONS / MEMBERS, (i + 1) * PARTITIONS
                        / MEMBERS).boxed().toList()));
                replay(shard, new MemberPut(group, member(group, i), new MemberMetadata(null, null, "client-" + i,
                        "/127.0.0.1", List.of("topic-0"), null, 300_000, null, null)));
                replay(shard, new TargetPut(group, member(group, i), share));
                replay(shard, new CurrentPut(group, member(group, i), new MemberAssignment(5, 5, State.STABLE, share,
                        Partitions.NONE)));
            }
        }
        for (int number = 0; number < TOPICS; number++) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                replay(shard, new OffsetPut(group, "topic-" + number, partition, new CommittedOffset(partition, 3, "",
                        1_700_000_000_000L, CommittedOffset.NONE)));
            }
        }
    }

    private static String member(String group, int number) {
        return group + "-4c2ba4a5-7f0c-4cf5-b1a8-0e3c7c1d4e5" + number;
    }

    /// As it comes from the log: nothing is shared with the record before.
    private void replay(GroupShard shard, GroupRecord record) {
        var encoded = GroupRecordCodec.encode(record);
        var value = encoded.value();
        shard.replay(new StoredRecord(offset++, ByteBuffer.wrap(encoded.key().array()), value == null
                ? null
                : ByteBuffer.wrap(value.array()), StoredRecord.NO_TRANSACTION));
    }

    private static long usedBytes() {
        var memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }
}
