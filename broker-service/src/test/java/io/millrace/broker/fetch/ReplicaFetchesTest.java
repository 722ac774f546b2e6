package io.millrace.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
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
import io.millrace.wire.api.ClientSoftware;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.codec.FileSlice;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchRequestData.ReplicaState;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Broker 2 fetches from broker 1, which leads `t-0` with 2 and 3 in sync.
class ReplicaFetchesTest {
    private static final Uuid TOPIC = new Uuid(7, 7);
    private static final int FOLLOWER = 2;
    private static final long FOLLOWER_EPOCH = 20;
    private static final int MAX_WAIT_MILLIS = 500;

    private final SimulatedLoop loop = new SimulatedLoop();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final LeaderThrottleSwitch throttle = new LeaderThrottleSwitch();
    @TempDir
    private Path directory;
    private Replica leader;
    private FetchHandler fetches;

    private static final class LeaderThrottleSwitch implements LeaderThrottle {
        private boolean on;
        private int sent;

        @Override
        public boolean holdsBack(io.millrace.broker.partition.Partition partition, int replica) {
            return on;
        }

        @Override
        public void sent(io.millrace.broker.partition.Partition partition, int bytes) {
            sent += bytes;
        }
    }

    @SuppressWarnings("NullAway.Init") // JUnit
    ReplicaFetchesTest() {}

    @BeforeEach
    void start() throws IOException {
        leader = new Replica(1, directory, loop);
        leader.told(1, 0, 0, 1, List.of(1, 2, 3), List.of(1, 2, 3));
        var registry = Registries.of(() -> ClusterImage.EMPTY, leader.partition());
        fetches = new FetchHandler(registry, new BrokerTopicMetrics(meters), new FetchHandler.Cluster(new LeaderHints(
                () -> ClusterImage.EMPTY), broker -> broker * 10L, throttle, ClosestReplica.NONE),
                new FetchHandler.Limits(1 << 20, 10, 100),
                meters, loop.ticker(), new Random(1));
    }

    @AfterEach
    void stop() throws IOException {
        leader.log().close();
    }

    @Test
    void recordsThatAreThereAreAnsweredAtOnceAndOpenASession() {
        leader.append("a");

        var answer = now(fetch(begin(0)));

        assertThat(answer.sessionId()).isPositive();
        assertThat(only(answer).records().sizeInBytes()).isPositive();
        assertThat(only(answer).highWatermark()).isZero();
    }

    @Test
    void appendWakesTheFetchThatWaitsAndOneAnswerTakesAllThatCameInTheSameTurn() {
        int session = now(fetch(begin(0).setMaxWaitMs(0))).sessionId();
        var waiting = fetch(next(session, 1));

        leader.append("a");
        leader.append("b");
        leader.append("c");
        assertThat(waiting).as("until the loop has done what it is about").isNotDone();
        loop.runPending();

        assertThat(only(now(waiting)).records().sizeInBytes()).isEqualTo(3 * Replica.batch("a").remaining());
    }

    @Test
    void fetchWaitsNoLongerThanItMay() {
        var waiting = fetch(begin(0));
        loop.advance(Duration.ofMillis(9));
        now(waiting.isDone() ? waiting : advance(waiting, MAX_WAIT_MILLIS));
    }

    @Test
    void sessionIsToldOnlyOfWhatMoved() {
        leader.append("a");
        int session = now(fetch(begin(0))).sessionId();
        var waiting = fetch(next(session, 1, asked(1)));
        loop.advance(Duration.ofMillis(MAX_WAIT_MILLIS));

        assertThat(now(waiting).responses()).isEmpty();
    }

    @Test
    void highWatermarkThatMovesAloneIsToldAMomentLater() {
        leader.append("a");
        int session = now(fetch(begin(0))).sessionId();
        var waiting = fetch(next(session, 1, asked(1)));
        now(fetch(begin(1).setReplicaState(replica(3, 30)).setMaxWaitMs(0)));
        loop.runPending();
        assertThat(waiting).as("records may come, and take it along").isNotDone();

        loop.advance(Duration.ofMillis(20));

        assertThat(only(now(waiting)).highWatermark()).isEqualTo(1);
        assertThat(only(now(waiting)).records().sizeInBytes()).isZero();
    }

    @Test
    void highWatermarkRidesAlongWithRecords() {
        leader.append("a");
        int session = now(fetch(begin(0))).sessionId();
        var waiting = fetch(next(session, 1, asked(1)));
        now(fetch(begin(1).setReplicaState(replica(3, 30)).setMaxWaitMs(0)));
        leader.append("b");
        loop.runPending();

        assertThat(only(now(waiting)).highWatermark()).isEqualTo(1);
        assertThat(only(now(waiting)).records().sizeInBytes()).isPositive();
    }

    @Test
    void whatTheFollowerDoesNotSayItHasIsSentAgain() {
        leader.append("a");
        int session = now(fetch(begin(0))).sessionId();

        assertThat(only(now(fetch(next(session, 1)))).records().sizeInBytes()).isPositive();
    }

    @Test
    void whatFindsNoRoomComesWithTheNextAnswer() {
        leader.append("a");
        int one = Replica.batch("a").remaining();
        leader.append("b");
        var first = now(fetch(begin(0).setMaxBytes(one)));
        assertThat(only(first).records().sizeInBytes()).isEqualTo(one);

        var second = now(fetch(next(first.sessionId(), 1, asked(1)).setMaxBytes(one)));

        assertThat(only(second).records().sizeInBytes()).isEqualTo(one);
    }

    @Test
    void requestThatOvertakesTheOneThatWaitsHasItAnsweredFirst() {
        int session = now(fetch(begin(0).setMaxWaitMs(0))).sessionId();
        var waiting = fetch(next(session, 1));

        var next = fetch(next(session, 2));

        assertThat(waiting).isCompleted();
        assertThat(next).isNotDone();
        leader.append("a");
        loop.runPending();
        assertThat(only(now(next)).records().sizeInBytes()).isPositive();
    }

    @Test
    void fetchForMoreBytesThanThereAreWaitsForTheRestWithoutTurningAround() {
        int session = now(fetch(begin(0).setMaxWaitMs(0))).sessionId();
        int one = Replica.batch("a").remaining();
        var waiting = fetch(next(session, 1).setMinBytes(2 * one));
        leader.append("a");
        loop.runPending();
        assertThat(waiting).isNotDone();

        leader.append("b");
        loop.runPending();

        assertThat(only(now(waiting)).records().sizeInBytes()).isEqualTo(2 * one);
    }

    @Test
    void epochsOfTheSessionAreWatched() {
        int session = now(fetch(begin(0).setMaxWaitMs(0))).sessionId();

        assertThat(error(fetch(next(session, 2)))).isEqualTo(Errors.INVALID_FETCH_SESSION_EPOCH);
        assertThat(error(fetch(next(session + 1, 1)))).isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
        assertThat(error(fetch(next(session, 1).setReplicaState(replica(3, 30))))).as("another's").isEqualTo(
                Errors.FETCH_SESSION_ID_NOT_FOUND);
    }

    @Test
    void fetchOfAFormerLifeIsRefused() {
        assertThat(error(fetch(begin(0).setReplicaState(replica(FOLLOWER, FOLLOWER_EPOCH - 1))))).isEqualTo(
                Errors.STALE_BROKER_EPOCH);
    }

    @Test
    void nextLifeClosesTheSessionsOfTheFormerOne() {
        now(fetch(begin(0).setMaxWaitMs(0)));
        now(fetch(begin(0).setReplicaState(replica(FOLLOWER, FOLLOWER_EPOCH + 1)).setMaxWaitMs(0)));

        assertThat(meters.get("kafka.server.fetchsessioncache.numincrementalfetchsessions").gauge().value()).isOne();
    }

    @Test
    void aFetchThatWasWokenIsAnsweredThoughTheNextOneIsThereBeforeItsTurn() {
        int session = now(fetch(begin(0).setMaxWaitMs(0))).sessionId();
        var woken = fetch(next(session, 1));
        leader.append("a");
        var request = next(session, 2);
        request.forgottenTopicsData().add(new ForgottenTopic().setTopicId(TOPIC).setPartitions(List.of(0)));

        var following = fetch(request);
        loop.runPending();

        now(woken);
        assertThat(following).isNotDone();
        loop.advance(Duration.ofMillis(MAX_WAIT_MILLIS));
        now(following);
    }

    @Test
    void forgottenPartitionWakesNobody() {
        int session = now(fetch(begin(0).setMaxWaitMs(0))).sessionId();
        var request = next(session, 1);
        request.forgottenTopicsData().add(new ForgottenTopic().setTopicId(TOPIC).setPartitions(List.of(0)));
        var waiting = fetch(request);

        leader.append("a");
        loop.runPending();

        assertThat(waiting).isNotDone();
    }

    @Test
    void roleThatChangesIsToldAtOnce() {
        int session = now(fetch(begin(0).setMaxWaitMs(0))).sessionId();
        var waiting = fetch(next(session, 1));

        leader.told(3, 1, 1, 1, List.of(3), List.of(1, 2, 3));
        loop.runPending();

        assertThat(Errors.forCode(only(now(waiting)).errorCode())).isEqualTo(Errors.FENCED_LEADER_EPOCH);
    }

    @Test
    void historiesThatPartAreToldAtOnce() {
        leader.append("a");
        leader.told(1, 1, 1, 1, List.of(1, 2, 3), List.of(1, 2, 3));
        leader.append("b");
        var request = begin(0);
        request.topics().getFirst().setPartitions(List.of(asked(2).setCurrentLeaderEpoch(1).setLastFetchedEpoch(0)));

        var answer = only(now(fetch(request)));

        assertThat(answer.divergingEpoch().epoch()).isZero();
        assertThat(answer.divergingEpoch().endOffset()).isEqualTo(1);
    }

    @Test
    void offsetOutOfRangeSaysWhereTheLogBegins() {
        leader.told(1, 0, 1, 1, List.of(1), List.of(1, 2, 3));
        leader.append("a");
        leader.append("b");
        leader.partition().asLeader().deleteRecordsBefore(2);

        var answer = only(now(fetch(begin(1))));

        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
        assertThat(answer.logStartOffset()).isEqualTo(2);
    }

    @Test
    void throttledRecordsComeOnceTheyMay() {
        leader.append("a");
        throttle.on = true;
        var waiting = fetch(begin(0).setMaxWaitMs(5_000));
        loop.advance(Duration.ofMillis(300));
        assertThat(waiting.isDone() && only(now(waiting)).records().sizeInBytes() > 0).isFalse();
        int session = now(advance(waiting, 5_000)).sessionId();
        waiting = fetch(next(session, 1).setMaxWaitMs(5_000));

        throttle.on = false;
        loop.advance(Duration.ofMillis(200));

        assertThat(only(now(waiting)).records().sizeInBytes()).isPositive();
        assertThat(throttle.sent).isPositive();
    }

    @Test
    void fetchThatNobodyWaitsForLeavesNothingOpen() {
        int session = now(fetch(begin(0).setMaxWaitMs(0))).sessionId();
        var waiting = fetch(next(session, 1));
        fetches.abandoned(waiting);

        leader.append("a");
        loop.advance(Duration.ofSeconds(1));

        assertThat(waiting).isCancelled();
        assertThat(only(now(fetch(next(session, 2)))).records().sizeInBytes()).as("the next one gets it").isPositive();
    }

    private CompletableFuture<FetchResponseData> advance(CompletableFuture<FetchResponseData> waiting, int millis) {
        loop.advance(Duration.ofMillis(millis));
        return waiting;
    }

    private static FetchRequestData begin(long offset) {
        return request(0, 0, asked(offset));
    }

    private static FetchRequestData next(int session, int epoch, FetchPartition... asked) {
        return request(session, epoch, asked);
    }

    private static FetchRequestData request(int session, int epoch, FetchPartition... asked) {
        var request = new FetchRequestData().setReplicaState(replica(FOLLOWER, FOLLOWER_EPOCH))
                .setSessionId(session)
                .setSessionEpoch(epoch)
                .setMinBytes(1)
                .setMaxBytes(1 << 20)
                .setMaxWaitMs(MAX_WAIT_MILLIS);
        if (asked.length > 0) {
            request.topics().add(new FetchTopic().setTopicId(TOPIC).setPartitions(List.of(asked)));
        }
        return request;
    }

    private static FetchPartition asked(long offset) {
        return new FetchPartition().setPartition(0)
                .setFetchOffset(offset)
                .setCurrentLeaderEpoch(0)
                .setLastFetchedEpoch(offset > 0 ? 0 : -1)
                .setLogStartOffset(0)
                .setPartitionMaxBytes(1 << 20);
    }

    private static ReplicaState replica(int broker, long epoch) {
        return new ReplicaState().setReplicaId(broker).setReplicaEpoch(epoch);
    }

    private CompletableFuture<FetchResponseData> fetch(FetchRequestData request) {
        var connection = new RequestContext.Connection("c", "PLAINTEXT", new InetSocketAddress(0),
                KafkaPrincipal.ANONYMOUS, ClientSoftware.UNKNOWN, loop);
        return fetches.handle(request, new RequestContext(ApiKeys.FETCH, (short) 17, 1, "follower", connection));
    }

    private static FetchResponseData now(CompletableFuture<FetchResponseData> answer) {
        assertThat(answer).isCompleted();
        FileSlice.releaseAll(answer.join());
        return answer.join();
    }

    private static Errors error(CompletableFuture<FetchResponseData> answer) {
        return Errors.forCode(now(answer).errorCode());
    }

    private static PartitionData only(FetchResponseData answer) {
        assertThat(answer.responses()).hasSize(1);
        assertThat(answer.responses().getFirst().partitions()).hasSize(1);
        return answer.responses().getFirst().partitions().getFirst();
    }
}
