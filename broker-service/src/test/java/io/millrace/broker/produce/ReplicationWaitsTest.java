package io.millrace.broker.produce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.broker.partition.BrokerTopicMetrics;
import io.millrace.broker.partition.LeaderHints;
import io.millrace.broker.partition.Registries;
import io.millrace.broker.partition.Replica;
import io.millrace.broker.transaction.CoordinatorChannel;
import io.millrace.broker.transaction.TransactionChecks;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.wire.api.ClientSoftware;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Producers that wait for broker 2, while broker 1 leads.
class ReplicationWaitsTest {
    private static final int TIMEOUT_MILLIS = 1_000;

    private final SimulatedLoop loop = new SimulatedLoop();
    private final ReplicationWaits waits = new ReplicationWaits(3);
    @TempDir
    private Path directory;
    private Replica leader;
    private Replica follower;
    private ProduceHandler produce;

    @SuppressWarnings("NullAway.Init") // JUnit
    ReplicationWaitsTest() {}

    @BeforeEach
    void start() throws IOException {
        leader = new Replica(1, directory.resolve("1"), loop);
        follower = new Replica(2, directory.resolve("2"), loop);
        tell(1, 0, 0);
        var topics = new BrokerTopicMetrics(new SimpleMeterRegistry());
        produce = new ProduceHandler(Registries.of(() -> ClusterImage.EMPTY, leader.partition()), topics,
                new LeaderHints(() -> ClusterImage.EMPTY), waits, new TransactionChecks(CoordinatorChannel.NONE,
                        () -> true, loop
                                .ticker(), new SimpleMeterRegistry()), LongChecksTest.on(loop, 1000));
    }

    @AfterEach
    void stop() {
        leader.close();
        follower.close();
    }

    @Test
    void producersAreAnsweredOnTheirLoopOnceTheFollowerHasTheirBatches() {
        var first = send();
        var second = send();
        follower.fetchFrom(leader);
        follower.fetchFrom(leader);
        assertThat(first).as("told on its loop").isNotDone();

        loop.runPending();

        assertThat(error(first)).isEqualTo(Errors.NONE);
        assertThat(error(second)).isEqualTo(Errors.NONE);
        assertThat(waits.count()).isZero();
    }

    @Test
    void producerIsToldWhenItsTimeIsOver() {
        var answer = send();

        loop.advance(Duration.ofMillis(TIMEOUT_MILLIS));

        assertThat(error(answer)).isEqualTo(Errors.REQUEST_TIMED_OUT);
        assertThat(waits.count()).isZero();
    }

    /// Enough were in sync when the batch was appended, and no longer when its time is over.
    @Test
    void producerIsToldThatTooFewReplicasHaveWhatItAppended() {
        tell(1, 0, 1, 2, List.of(1, 2));
        var answer = send();

        tell(1, 0, 2, 2, List.of(1));
        loop.runPending();
        assertThat(answer).as("the follower may come back in time").isNotDone();
        loop.advance(Duration.ofMillis(TIMEOUT_MILLIS));

        assertThat(error(answer)).isEqualTo(Errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND);
        assertThat(waits.count()).isZero();
        assertThat(error(send())).isEqualTo(Errors.NOT_ENOUGH_REPLICAS);
    }

    @Test
    void producerWaitsThroughAShortageOfReplicasThatEndsInTime() {
        tell(1, 0, 1, 2, List.of(1, 2));
        var answer = send();

        tell(1, 0, 2, 2, List.of(1));
        follower.fetchFrom(leader);
        follower.fetchFrom(leader);
        loop.runPending();
        assertThat(answer).as("nothing counts as replicated meanwhile").isNotDone();
        tell(1, 0, 3, 2, List.of(1, 2));
        loop.runPending();

        assertThat(error(answer)).isEqualTo(Errors.NONE);
    }

    @Test
    void answerThatIsOnItsWayWhenTheTimeIsOverIsAnAnswer() {
        var answer = send();
        loop.schedule(Duration.ofMillis(TIMEOUT_MILLIS - 1), () -> {
            follower.fetchFrom(leader);
            follower.fetchFrom(leader);
        });

        loop.advance(Duration.ofMillis(TIMEOUT_MILLIS));

        assertThat(error(answer)).isEqualTo(Errors.NONE);
    }

    @Test
    void producerOfADeposedLeaderLooksForTheNewOne() {
        var answer = send();

        tell(2, 1, 1);
        loop.runPending();

        assertThat(error(answer)).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(waits.count()).isZero();
    }

    @Test
    void producerWaitsOnThroughReignsOfTheSameLeader() {
        var answer = send();

        tell(1, 1, 1);
        follower.fetchFrom(leader);
        follower.fetchFrom(leader);
        loop.runPending();

        assertThat(error(answer)).isEqualTo(Errors.NONE);
    }

    @Test
    void producerThatIsGoneWaitsNoMore() {
        var answer = send();

        produce.abandoned(answer);
        loop.runPending();

        assertThat(waits.count()).isZero();
    }

    @Test
    void oneTooManyIsAnsweredAsIfItsTimeWereOver() {
        send();
        send();
        send();

        assertThat(error(send())).isEqualTo(Errors.REQUEST_TIMED_OUT);
        assertThat(waits.count()).isEqualTo(3);
    }

    private void tell(int leads, int leaderEpoch, int partitionEpoch) {
        tell(leads, leaderEpoch, partitionEpoch, 1, List.of(1, 2));
    }

    private void tell(int leads, int leaderEpoch, int partitionEpoch, int minInSync, List<Integer> isr) {
        for (var replica : List.of(leader, follower)) {
            replica.told(leads, leaderEpoch, partitionEpoch, minInSync, isr, List.of(1, 2));
        }
    }

    private CompletableFuture<ProduceResponseData> send() {
        var request = new ProduceRequestData().setAcks((short) -1).setTimeoutMs(TIMEOUT_MILLIS);
        var topic = new TopicProduceData().setName("t");
        topic.partitionData().add(new PartitionProduceData().setIndex(0).setRecords(MemoryRecords.readableRecords(
                Replica
                        .batch("a"))));
        request.topicData().add(topic);
        var connection = new RequestContext.Connection("c", "PLAINTEXT", new InetSocketAddress(0),
                KafkaPrincipal.ANONYMOUS, ClientSoftware.UNKNOWN, loop);
        return produce.handle(request, new RequestContext(ApiKeys.PRODUCE, (short) 9, 1, "producer", connection));
    }

    private static Errors error(CompletableFuture<ProduceResponseData> answer) {
        assertThat(answer).isCompleted();
        return Errors.forCode(answer.join().responses().iterator().next().partitionResponses().getFirst().errorCode());
    }
}
