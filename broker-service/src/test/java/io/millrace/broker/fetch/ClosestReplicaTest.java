package io.millrace.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.broker.partition.BrokerTopicMetrics;
import io.millrace.broker.partition.LeaderHints;
import io.millrace.broker.partition.Registries;
import io.millrace.broker.partition.Replica;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import io.millrace.wire.api.ClientSoftware;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.codec.FileSlice;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Brokers 1, 2 and 3 stand in racks a, b and c; 1 leads, all are in sync.
class ClosestReplicaTest {
    private static final int MAX_WAIT_MILLIS = 500;
    private static final List<Integer> ALL = List.of(1, 2, 3);

    private final SimulatedLoop loop = new SimulatedLoop();
    @TempDir
    private Path directory;
    private Replica leader;
    private Replica follower;
    private Replica other;

    @SuppressWarnings("NullAway.Init") // JUnit
    ClosestReplicaTest() {}

    @BeforeEach
    void start() throws IOException {
        leader = new Replica(1, directory.resolve("1"), loop);
        follower = new Replica(2, directory.resolve("2"), loop);
        other = new Replica(3, directory.resolve("3"), loop);
        tell(0, ALL);
        leader.append("a");
        replicate();
        replicate();
        replicate();
    }

    @AfterEach
    void stop() {
        List.of(leader, follower, other).forEach(Replica::close);
    }

    @Test
    void consumerIsSentToTheReplicaInItsRackAtOnceAndGetsNoRecords() {
        var answer = now(fetch(leader, "b", 0));

        assertThat(answer.preferredReadReplica()).isEqualTo(2);
        assertThat(answer.records().sizeInBytes()).isZero();
        assertThat(answer.highWatermark()).isEqualTo(1);
    }

    @Test
    void consumerAtTheEndIsSentAwayWithoutWaiting() {
        assertThat(now(fetch(leader, "b", 1)).preferredReadReplica()).isEqualTo(2);
    }

    @Test
    void consumerStaysWhereTheLeaderIsAsCloseOrNobodyIsCloser() {
        for (var rack : List.of("a", "d", "")) {
            var answer = now(fetch(leader, rack, 0));

            assertThat(answer.preferredReadReplica()).as(rack).isEqualTo(-1);
            assertThat(answer.records().sizeInBytes()).isPositive();
        }
    }

    @Test
    void replicaThatIsNotInSyncIsNotNamed() {
        tell(1, List.of(1, 3));

        assertThat(now(fetch(leader, "b", 0)).preferredReadReplica()).isEqualTo(-1);
    }

    @Test
    void replicaThatDoesNotHaveTheOffsetIsNotNamed() {
        leader.append("b");

        assertThat(now(fetch(leader, "b", 1)).preferredReadReplica()).isEqualTo(2);
        assertThat(fetch(leader, "b", 2)).as("the leader has it, and lets it wait").isNotDone();
    }

    @Test
    void followerServesWhatIsReplicated() {
        assertThat(now(fetch(follower, "b", 0)).records().sizeInBytes()).isPositive();
    }

    @Test
    void consumerBeyondTheFollowersHighWatermarkWaitsUntilItMoves() {
        leader.append("b");
        follower.fetchFrom(leader);
        var waiting = fetch(follower, "b", 1);
        assertThat(waiting).isNotDone();

        replicate();
        replicate();
        replicate();
        loop.runPending();

        assertThat(now(waiting).records().sizeInBytes()).isPositive();
    }

    @Test
    void offsetThatTheLeaderHasShownAndTheFollowerLacksIsNotOutOfRange() {
        follower.partition().asFollower().append(ByteBuffer.allocate(0), 0, 5, 0);
        var waiting = fetch(follower, "b", 5);

        loop.advance(Duration.ofMillis(MAX_WAIT_MILLIS));

        assertThat(now(waiting).errorCode()).isZero();
        assertThat(now(waiting).records().sizeInBytes()).isZero();
    }

    @Test
    void offsetThatNobodyHasIsOutOfRange() {
        assertThat(Errors.forCode(now(fetch(follower, "b", 9)).errorCode())).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
    }

    @Test
    void offsetBelowTheFollowersStartIsOutOfRange() {
        leader.append("b");
        replicate();
        replicate();
        leader.partition().asLeader().deleteRecordsBefore(1);
        replicate();

        assertThat(Errors.forCode(now(fetch(follower, "b", 0)).errorCode())).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
    }

    @Test
    void clientThatCannotBeSentElsewhereIsServedByTheLeaderAlone() {
        assertThat(Errors.forCode(now(fetch(follower, "", 0, 10)).errorCode())).isEqualTo(
                Errors.NOT_LEADER_OR_FOLLOWER);
    }

    private void replicate() {
        follower.fetchFrom(leader);
        other.fetchFrom(leader);
    }

    private void tell(int partitionEpoch, List<Integer> isr) {
        for (var replica : List.of(leader, follower, other)) {
            replica.told(1, 0, partitionEpoch, 1, isr, ALL);
        }
    }

    private static ClusterImage image() {
        var nodes = ClusterImage.EMPTY.nodes();
        for (int id : ALL) {
            nodes = nodes.with(new NodeImage(Role.BROKER, id, id, List.of(), List.of("a", "b", "c").get(id - 1), null,
                    "", NodeState.ACTIVE));
        }
        return ClusterImage.EMPTY.with(nodes);
    }

    private CompletableFuture<FetchResponseData> fetch(Replica at, String rack, long offset) {
        return fetch(at, rack, offset, 17);
    }

    private CompletableFuture<FetchResponseData> fetch(Replica at, String rack, long offset, int version) {
        var image = image();
        var meters = new SimpleMeterRegistry();
        var handler = new FetchHandler(Registries.of(() -> image, at.partition()), new BrokerTopicMetrics(meters),
                new FetchHandler.Cluster(new LeaderHints(() -> image), _ -> -1, LeaderThrottle.NONE, ClosestReplica
                        .byRack(1, () -> image)), new FetchHandler.Limits(1 << 20, 10, 100), meters, loop.ticker(),
                new Random(1));
        var request = new FetchRequestData().setRackId(rack).setMinBytes(1).setMaxBytes(1 << 20).setMaxWaitMs(
                MAX_WAIT_MILLIS).setSessionEpoch(-1);
        request.topics().add(new FetchTopic().setTopicId(version < 13 ? Uuid.ZERO_UUID : new Uuid(7, 7))
                .setTopic("t")
                .setPartitions(List.of(new FetchPartition().setPartition(0)
                        .setFetchOffset(offset)
                        .setPartitionMaxBytes(1 << 20))));
        var connection = new RequestContext.Connection("c", "PLAINTEXT", new InetSocketAddress(0),
                KafkaPrincipal.ANONYMOUS, ClientSoftware.UNKNOWN, loop);
        return handler.handle(request, new RequestContext(ApiKeys.FETCH, (short) version, 1, "consumer", connection));
    }

    private static PartitionData now(CompletableFuture<FetchResponseData> answer) {
        assertThat(answer).isCompleted();
        FileSlice.releaseAll(answer.join());
        return answer.join().responses().getFirst().partitions().getFirst();
    }
}
