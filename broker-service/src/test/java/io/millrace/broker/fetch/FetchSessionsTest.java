package io.millrace.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.base.simulation.SimulatedLoop;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;

class FetchSessionsTest {
    private static final short BY_NAME = 12;
    private static final short BY_ID = 13;
    private static final Uuid ID = new Uuid(1, 2);

    private final SimulatedLoop time = new SimulatedLoop();
    private final AtomicInteger evictions = new AtomicInteger();
    private final FetchSessions sessions = new FetchSessions(2, time.ticker(), new Random(1),
            evictions::incrementAndGet);

    @Test
    void fullFetchOpensASessionWhoseNextRequestAddsNothing() {
        int id = open("t", 0, 1);

        var plan = plan(request(id, 1));

        assertThat(plan).isInstanceOfSatisfying(FetchPlan.Incremental.class, more -> assertThat(more.items())
                .extracting(
                        item -> item.key().partition()).containsExactly(0, 1));
    }

    @Test
    void fetchWithoutSessionOpensNone() {
        var plan = plan(add(request(0, -1), "t", 0));

        assertThat(plan).isInstanceOfSatisfying(FetchPlan.Full.class, full -> assertThat(full.opensSession())
                .isFalse());
    }

    @Test
    void unknownSessionIsRefused() {
        assertThat(plan(request(77, 1))).isEqualTo(new FetchPlan.Refuse(Errors.FETCH_SESSION_ID_NOT_FOUND));
    }

    @Test
    void wrongEpochIsRefusedAndTheSessionGoesOnWithTheRightOne() {
        int id = open("t", 0);

        assertThat(plan(request(id, 2))).isEqualTo(new FetchPlan.Refuse(Errors.INVALID_FETCH_SESSION_EPOCH));
        assertThat(plan(request(id, 1))).isInstanceOf(FetchPlan.Incremental.class);
        assertThat(plan(request(id, 1))).isEqualTo(new FetchPlan.Refuse(Errors.INVALID_FETCH_SESSION_EPOCH));
        assertThat(plan(request(id, 2))).isInstanceOf(FetchPlan.Incremental.class);
    }

    @Test
    void sessionMadeByNameDoesNotServeIds() {
        int id = open("t", 0);

        assertThat(sessions.plan(request(id, 1), BY_ID, _ -> "t")).isEqualTo(new FetchPlan.Refuse(
                Errors.FETCH_SESSION_TOPIC_ID_ERROR));
    }

    @Test
    void incrementalRequestAddsChangesAndForgets() {
        int id = open("t", 0, 1);
        var request = add(request(id, 1), "t", 2);
        request.topics().getFirst().partitions().add(new FetchPartition().setPartition(1).setFetchOffset(42));
        request.forgottenTopicsData().add(new ForgottenTopic().setTopic("t").setPartitions(List.of(0)));

        var plan = (FetchPlan.Incremental) plan(request);

        assertThat(plan.items()).extracting(item -> item.key().partition()).containsExactly(1, 2);
        assertThat(plan.items().getFirst().fetchOffset()).isEqualTo(42);
    }

    @Test
    void sessionWhoseLastPartitionIsForgottenEnds() {
        int id = open("t", 0);
        var request = request(id, 1);
        request.forgottenTopicsData().add(new ForgottenTopic().setTopic("t").setPartitions(List.of(0)));

        assertThat(plan(request)).isInstanceOf(FetchPlan.Full.class);
        assertThat(sessions.count()).isZero();
    }

    @Test
    void finalEpochClosesTheSession() {
        int id = open("t", 0);

        plan(add(request(id, -1), "t", 0));

        assertThat(plan(request(id, 1))).isEqualTo(new FetchPlan.Refuse(Errors.FETCH_SESSION_ID_NOT_FOUND));
    }

    @Test
    void initialEpochWithAnIdReplacesTheSession() {
        int id = open("t", 0);

        plan(add(request(id, 0), "t", 0));

        assertThat(sessions.count()).isZero();
    }

    @Test
    void unchangedPartitionIsLeftOutAndAChangedOneIsTold() {
        int id = open("t", 0, 1);
        var plan = (FetchPlan.Incremental) plan(request(id, 1));

        var told = plan.session().changed(plan.epoch(), answers(plan.items(), 0, 5));

        assertThat(told).extracting(answer -> answer.item().key().partition()).containsExactly(1);
    }

    @Test
    void partitionWithAnErrorIsToldEachTimeAndOnceMoreWhenTheErrorIsOver() {
        int id = open("t", 0);
        var first = (FetchPlan.Incremental) plan(request(id, 1));
        var failing = first.session().changed(first.epoch(), List.of(new Answered(first.items().getFirst(), null,
                new PartitionData().setErrorCode(Errors.NOT_LEADER_OR_FOLLOWER.code()).setHighWatermark(-1))));
        var second = (FetchPlan.Incremental) plan(request(id, 2));
        var healed = second.session().changed(second.epoch(), answers(second.items(), 0));
        var third = (FetchPlan.Incremental) plan(request(id, 3));
        var quiet = third.session().changed(third.epoch(), answers(third.items(), 0));

        assertThat(failing).hasSize(1);
        assertThat(healed).hasSize(1);
        assertThat(quiet).isEmpty();
    }

    @Test
    void answerThatWasOvertakenIsNotGiven() {
        int id = open("t", 0);
        var overtaken = (FetchPlan.Incremental) plan(request(id, 1));
        plan(request(id, 2));

        assertThat(overtaken.session().changed(overtaken.epoch(), answers(overtaken.items(), 9))).isNull();
    }

    @Test
    void partitionThatGaveRecordsGoesLast() {
        int id = open("t", 0, 1, 2);
        var plan = (FetchPlan.Incremental) plan(request(id, 1));
        var answers = answers(plan.items(), 0, 0, 0);
        answers.getFirst().data().setRecords(MemoryRecords.readableRecords(java.nio.ByteBuffer.allocate(10)));

        plan.session().changed(plan.epoch(), answers);

        var next = (FetchPlan.Incremental) plan(request(id, 2));
        assertThat(next.items()).extracting(item -> item.key().partition()).containsExactly(1, 2, 0);
    }

    @Test
    void sessionKeepsTheNameOfAnIdThatIsUnknownByNow() {
        var request = request(0, 0);
        request.topics().add(new FetchTopic().setTopicId(ID).setPartitions(List.of(new FetchPartition()
                .setPartition(0))));
        var full = (FetchPlan.Full) sessions.plan(request, BY_ID, _ -> "t");
        int id = sessions.open(BY_ID, full.items(), List.of(new PartitionData()));

        var plan = (FetchPlan.Incremental) sessions.plan(request(id, 1), BY_ID, _ -> null);

        assertThat(plan.items().getFirst().topic()).isEqualTo("t");
    }

    @Test
    void noSessionIsGivenWhereAllSlotsAreTakenByYoungOnes() {
        open("a", 0);
        open("b", 0);

        assertThat(open("c", 0, 1, 2)).isZero();
        assertThat(evictions).hasValue(0);
    }

    @Test
    void sessionIdleForLongMakesRoom() {
        int idle = open("a", 0);
        int busy = open("b", 0);
        time.advance(Duration.ofSeconds(121));
        plan(request(busy, 1));

        assertThat(open("c", 0)).isPositive();
        assertThat(plan(request(idle, 1))).isEqualTo(new FetchPlan.Refuse(Errors.FETCH_SESSION_ID_NOT_FOUND));
        assertThat(evictions).hasValue(1);
    }

    @Test
    void smallerSessionThatHasLivedLongMakesRoomForALargerOne() {
        int small = open("a", 0);
        int large = open("b", 0, 1, 2, 3);
        time.advance(Duration.ofSeconds(121));
        plan(request(small, 1));
        plan(request(large, 1));

        assertThat(open("c", 0, 1)).isPositive();
        assertThat(plan(request(small, 2))).isEqualTo(new FetchPlan.Refuse(Errors.FETCH_SESSION_ID_NOT_FOUND));
        assertThat(plan(request(large, 2))).isInstanceOf(FetchPlan.Incremental.class);
    }

    private FetchPlan plan(FetchRequestData request) {
        return sessions.plan(request, BY_NAME, _ -> null);
    }

    /// Opens a session of one topic, with all partitions at high watermark 0.
    private int open(String topic, int... partitions) {
        var full = (FetchPlan.Full) plan(add(request(0, 0), topic, partitions));
        return sessions.open(BY_NAME, full.items(), full.items().stream().map(_ -> new PartitionData()
                .setLogStartOffset(0)).toList());
    }

    private static FetchRequestData request(int session, int epoch) {
        return new FetchRequestData().setSessionId(session).setSessionEpoch(epoch);
    }

    private static FetchRequestData add(FetchRequestData request, String topic, int... partitions) {
        var asked = new FetchTopic().setTopic(topic);
        for (int partition : partitions) {
            asked.partitions().add(new FetchPartition().setPartition(partition));
        }
        request.topics().add(asked);
        return request;
    }

    private static List<Answered> answers(List<FetchItem> items, long... highWatermarks) {
        var answers = new ArrayList<Answered>();
        for (int i = 0; i < items.size(); i++) {
            answers.add(new Answered(items.get(i), null, new PartitionData().setHighWatermark(highWatermarks[i])
                    .setLogStartOffset(0)));
        }
        return answers;
    }
}
