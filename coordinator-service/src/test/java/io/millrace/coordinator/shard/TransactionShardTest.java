package io.millrace.coordinator.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.millrace.base.simulation.Seeds;
import io.millrace.coordinator.shard.TransactionWorld.Marker;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TransactionShardTest {
    private static final String ID = "id";
    private static final TopicPartition A = new TopicPartition("a", 0);
    private static final TopicPartition B = new TopicPartition("b", 1);
    private static final TopicPartition C = new TopicPartition("c", 2);
    /// More than an end takes.
    private static final int STEPS = 12;

    private final TransactionWorld world = new TransactionWorld(1);

    @Test
    void aTransactionIsCommittedInAllItsPartitions() {
        var producer = world.settled(world.init(ID));
        assertThat(producer.error()).isEqualTo(Errors.NONE);
        assertThat(world.settled(world.add(ID, producer, Set.of(A), 1)).error()).isEqualTo(Errors.NONE);
        assertThat(world.settled(world.add(ID, producer, Set.of(B), 1)).error()).isEqualTo(Errors.NONE);

        assertThat(world.settled(world.end(ID, producer, true, 1)).error()).isEqualTo(Errors.NONE);

        assertThat(world.state(ID)).isEqualTo("CompleteCommit");
        assertThat(world.markers).containsExactlyInAnyOrder(
                new Marker(A, producer.producerId(), producer.epoch(), true),
                new Marker(B, producer.producerId(), producer.epoch(), true));
    }

    static Stream<Arguments> deaths() {
        return LongStream.rangeClosed(0, STEPS).boxed().flatMap(step -> Stream.of(true, false)
                .flatMap(commit -> Stream.of(1, 2).map(version -> Arguments.of(step, commit, version))));
    }

    @ParameterizedTest(name = "after {0} steps commit={1} version={2}")
    @MethodSource("deaths")
    void whereverItsOwnerDiesTheEndOfATransactionIsOneAndWhole(long step, boolean commit, int version) {
        var producer = world.settled(world.init(ID));
        world.settled(world.add(ID, producer, Set.of(A, B), version));
        long from = world.loop.ran();
        var died = new boolean[1];
        world.loop.afterEach(() -> {
            if (!died[0] && world.loop.ran() - from >= step) {
                died[0] = true;
                world.succeed();
            }
        });

        var end = world.settled(world.end(ID, producer, commit, version));
        for (int tries = 0; end.error() != Errors.NONE && tries < 20; tries++) {
            end = world.settled(world.end(ID, producer, commit, version));
        }

        died[0] = true;
        assertThat(end.error()).isEqualTo(Errors.NONE);
        assertThat(world.state(ID)).isEqualTo(commit ? "CompleteCommit" : "CompleteAbort");
        short marked = (short) (producer.epoch() + (version == 2 ? 1 : 0));
        assertThat(new HashSet<>(world.markers)).containsExactlyInAnyOrder(
                new Marker(A, producer.producerId(), marked, commit),
                new Marker(B, producer.producerId(), marked, commit));
        var next = version == 2 ? end : producer;
        assertThat(world.settled(world.add(ID, next, Set.of(A), version)).error()).isEqualTo(Errors.NONE);
    }

    /// It would be the end of a producer whose transaction the new owner knows.
    @Test
    void anOwnerThatWasReplacedUnnoticedRefusesNobody() {
        var producer = world.settled(world.init(ID));
        world.succeedUnnoticed();
        world.settle();
        var begun = world.settled(world.add(ID, producer, Set.of(A), 2));
        assertThat(begun.error()).isEqualTo(Errors.NONE);

        var end = world.endAtDeposed(ID, producer, true, 2);
        var verified = world.verifyAtDeposed(ID, producer, A);
        assertThat(world.settled(end).error()).isEqualTo(Errors.NOT_COORDINATOR);
        assertThat(world.settled(verified).error()).isEqualTo(Errors.NOT_COORDINATOR);

        assertThat(world.settled(world.end(ID, producer, true, 2)).error()).isEqualTo(Errors.NONE);
        assertThat(world.settled(world.verify(ID, producer, A)).error()).as("a word of the owner").isEqualTo(
                Errors.PRODUCER_FENCED);
    }

    @Test
    void anOwnerThatWasReplacedUnnoticedChangesNothing() {
        var producer = world.settled(world.init(ID));
        world.settled(world.add(ID, producer, Set.of(A), 1));
        var ofOld = world.end(ID, producer, true, 1);
        world.succeedUnnoticed();
        var ofNew = world.end(ID, producer, true, 1);

        world.settle();
        assertThat(ofOld.getNow(TransactionAnswer.refused(Errors.UNKNOWN_SERVER_ERROR)).error()).isIn(Errors.NONE,
                Errors.NOT_COORDINATOR);
        var end = ofNew.getNow(TransactionAnswer.refused(Errors.UNKNOWN_SERVER_ERROR));
        if (end.error() != Errors.NONE) {
            end = world.settled(world.end(ID, producer, true, 1));
        }
        assertThat(end.error()).isEqualTo(Errors.NONE);
        assertThat(world.markers).allMatch(Marker::commit);
    }

    @Test
    void whoComesWhileTheLastTransactionEndsWaitsForItAndIsSentAwayOnlyWhereItTakesLong() {
        var producer = world.settled(world.init(ID));
        world.settled(world.add(ID, producer, Set.of(A), 1));
        world.end(ID, producer, true, 1);
        var next = world.add(ID, producer, Set.of(B), 1);
        assertThat(world.settled(next).error()).isEqualTo(Errors.NONE);

        world.holdMarkers(true);
        world.end(ID, producer, true, 1);
        var stuck = world.add(ID, producer, Set.of(A), 1);
        world.loop.advance(Duration.ofMillis(400));
        assertThat(stuck).isNotDone();
        world.loop.advance(Duration.ofMillis(200));
        assertThat(stuck.getNow(producer).error()).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);

        world.holdMarkers(false);
        assertThat(world.settled(world.add(ID, producer, Set.of(A), 1)).error()).isEqualTo(Errors.NONE);
    }

    @Test
    void whereSomebodyEndedATransactionInTheNameOfACoordinatorToComeTheRestIsEndedAndItsIdGoesOn() {
        var producer = world.settled(world.init(ID));
        world.settled(world.add(ID, producer, Set.of(A, B), 1));
        world.markFromTheFuture(A);

        world.settled(world.end(ID, producer, true, 1));

        assertThat(world.markers).containsExactly(new Marker(B, producer.producerId(), producer.epoch(), true));
        assertThat(world.state(ID)).isEqualTo("CompleteCommit");
        assertThat(world.settled(world.add(ID, producer, Set.of(B), 1)).error()).isEqualTo(Errors.NONE);
    }

    @Test
    void aSuccessorFencesAProducerAndAbortsWhatItLeftOpen() {
        var first = world.settled(world.init(ID));
        world.settled(world.add(ID, first, Set.of(A), 1));

        var second = world.settled(world.init(ID));

        assertThat(second.error()).isEqualTo(Errors.NONE);
        assertThat(second.producerId()).isEqualTo(first.producerId());
        assertThat(second.epoch()).isEqualTo((short) (first.epoch() + 2));
        assertThat(world.markers).containsExactly(
                new Marker(A, first.producerId(), (short) (first.epoch() + 1), false));
        assertThat(world.settled(world.end(ID, first, true, 1)).error()).isEqualTo(Errors.PRODUCER_FENCED);
        assertThat(world.meters.counter("millrace.coordinator.transaction.fenced").count()).isEqualTo(1);
    }

    @Test
    void aTransactionThatTakesTooLongIsAbortedAndItsProducerFenced() {
        var producer = world.settled(world.init(ID));
        world.settled(world.add(ID, producer, Set.of(A), 1));

        world.loop.advance(Duration.ofSeconds(55));
        assertThat(world.state(ID)).isEqualTo("Ongoing");
        assertThat(kafka("active.transaction.total.time.max")).isBetween(50_000.0, 60_000.0);
        world.loop.advance(Duration.ofSeconds(20));

        assertThat(world.state(ID)).isEqualTo("CompleteAbort");
        assertThat(world.settled(world.end(ID, producer, true, 1)).error()).isEqualTo(Errors.PRODUCER_FENCED);
        assertThat(world.meters.counter("millrace.coordinator.transaction.timed.out").count()).isEqualTo(1);
        assertThat(kafka("transaction.timeout.count")).isEqualTo(1);
        world.loop.advance(Duration.ofSeconds(20));
        assertThat(kafka("active.transaction.total.time.max")).isZero();
    }

    @Test
    void anIdThatNobodyUsesIsForgotten() {
        world.settled(world.init(ID));

        world.loop.advance(Duration.ofDays(7).plusHours(2));

        assertThat(world.state(ID)).isEqualTo("unknown");
        world.succeed();
        world.settle();
        assertThat(world.state(ID)).isEqualTo("unknown");
    }

    @Test
    void aTimeoutBeyondTheLimitIsRefused() {
        var refused = world.call(shard -> shard.init(ID, TransactionWorld.MAX_TIMEOUT + 1, -1, (short) -1));
        world.loop.runPending();

        assertThat(refused.getNow(TransactionAnswer.refused(Errors.NONE)).error())
                .isEqualTo(Errors.INVALID_TRANSACTION_TIMEOUT);
    }

    static LongStream seeds() {
        return Seeds.of(100);
    }

    /// A client that knows what it was told, and asks again where it was told nothing.
    private static final class Client {
        private TransactionAnswer producer = TransactionAnswer.refused(Errors.UNKNOWN_SERVER_ERROR);
        private final Set<TopicPartition> added = new HashSet<>();
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void whatClientsWereToldHoldsWhoeverDies(long seed) {
        var run = new TransactionWorld(seed);
        var random = new Random(seed);
        var clients = new HashMap<String, Client>();
        var told = new HashSet<Marker>();
        for (int round = 0; round < 60; round++) {
            var id = "id-" + random.nextInt(4);
            var client = clients.computeIfAbsent(id, _ -> new Client());
            if (random.nextInt(6) == 0) {
                run.loop.schedule(Duration.ofMillis(random.nextInt(60)), run::succeed);
            }
            switch (random.nextInt(4)) {
                case 0 -> begin(run, id, client);
                case 1, 2 -> add(run, id, client, random.nextBoolean() ? A : B);
                default -> end(run, id, client, random.nextBoolean(), told);
            }
        }
        run.loop.advance(Duration.ofMinutes(3));

        var ends = new HashMap<List<Object>, Boolean>();
        run.markers.forEach(marker -> assertThat(ends.computeIfAbsent(List.of(marker.producerId(), marker.epoch()),
                _ -> marker.commit())).as("one end %s", marker).isEqualTo(marker.commit()));
        assertThat(run.markers).as("as told").containsAll(told);
        clients.keySet().forEach(id -> assertThat(run.state(id)).isIn("unknown", "Empty", "CompleteCommit",
                "CompleteAbort"));
    }

    private static void begin(TransactionWorld run, String id, Client client) {
        var producer = run.settled(run.init(id));
        if (producer.error() == Errors.NONE) {
            client.producer = producer;
            client.added.clear();
        }
    }

    private static void add(TransactionWorld run, String id, Client client, TopicPartition partition) {
        if (client.producer.error() == Errors.NONE
                && run.settled(run.add(id, client.producer, Set.of(partition), 2)).error() == Errors.NONE) {
            client.added.add(partition);
        }
    }

    /// Of version 2, where the epoch tells one transaction from the next.
    private static void end(TransactionWorld run, String id, Client client, boolean commit, Set<Marker> told) {
        if (client.producer.error() != Errors.NONE || client.added.isEmpty()) {
            return;
        }
        var end = run.settled(run.end(id, client.producer, commit, 2));
        for (int tries = 0; isPassing(end.error()) && tries < 20; tries++) {
            end = run.settled(run.end(id, client.producer, commit, 2));
        }
        if (end.error() == Errors.NONE) {
            short marked = (short) (client.producer.epoch() + 1);
            client.added.forEach(partition -> told.add(
                    new Marker(partition, client.producer.producerId(), marked, commit)));
        } else {
            assertThat(end.error()).as("it took too long").isIn(Errors.PRODUCER_FENCED, Errors.INVALID_TXN_STATE);
        }
        client.added.clear();
        client.producer = end;
    }

    private static boolean isPassing(Errors error) {
        return switch (error) {
            case NONE, PRODUCER_FENCED, INVALID_PRODUCER_ID_MAPPING, INVALID_TXN_STATE -> false;
            default -> true;
        };
    }

    @Test
    void anOwnerThatWasDeposedDoesNotTakeTheEndOfALaterTransactionForTheOneItKnows() {
        var producer = world.settled(world.init(ID));
        world.settled(world.add(ID, producer, Set.of(A), 1));
        world.settled(world.end(ID, producer, true, 1));
        world.succeedUnnoticed();
        world.settle();
        world.settled(world.add(ID, producer, Set.of(B), 1));

        var answer = world.settled(world.endAtDeposed(ID, producer, true, 1));

        assertThat(answer.error()).isEqualTo(Errors.NOT_COORDINATOR);
        assertThat(world.settled(world.end(ID, producer, true, 1)).error()).isEqualTo(Errors.NONE);
        assertThat(world.markers).contains(new Marker(B, producer.producerId(), producer.epoch(), true));
    }

    @Test
    void anEndThatIsAskedForAgainIsAnsweredAsBefore() {
        var producer = world.settled(world.init(ID));
        world.settled(world.add(ID, producer, Set.of(A), 1));
        world.settled(world.end(ID, producer, true, 1));

        assertThat(world.settled(world.end(ID, producer, true, 1)).error()).isEqualTo(Errors.NONE);
        assertThat(world.settled(world.end(ID, producer, false, 1)).error()).isEqualTo(Errors.INVALID_TXN_STATE);
    }

    @Test
    void thatATransactionIsCompleteIsStoredWithTheBeginningOfTheNextOne() {
        var producer = world.settled(world.init(ID));
        world.settled(world.add(ID, producer, Set.of(A), 1));
        world.storage.batchSizes().clear();

        world.end(ID, producer, true, 1);
        var next = world.add(ID, producer, Set.of(B), 1);

        assertThat(world.settled(next).error()).isEqualTo(Errors.NONE);
        assertThat(world.storage.batchSizes()).as("its end; then that, and the next one").containsExactly(1, 2);
        world.succeed();
        world.settle();
        assertThat(world.state(ID)).isEqualTo("Ongoing");
    }

    @Test
    void partitionsThatLeadersAddAtTheSameTimeShareAnAppend() {
        var producer = world.settled(world.init(ID));
        world.storage.batchSizes().clear();

        var first = world.add(ID, producer, Set.of(A), 2);
        var second = world.add(ID, producer, Set.of(B), 2);
        var third = world.add(ID, producer, Set.of(C), 2);

        assertThat(world.settled(first).error()).isEqualTo(Errors.NONE);
        assertThat(second.join().error()).isEqualTo(Errors.NONE);
        assertThat(third.join().error()).isEqualTo(Errors.NONE);
        assertThat(world.storage.batchSizes()).containsExactly(1, 2);
        world.settled(world.end(ID, producer, true, 2));
        assertThat(world.markers).extracting(Marker::partition).containsExactlyInAnyOrder(A, B, C);
    }

    @Test
    void aPartitionWhoseAdditionIsNotStoredDoesNotKeepOthersOut() {
        var producer = world.settled(world.init(ID));
        world.storage.failAppend(Errors.MESSAGE_TOO_LARGE); // nothing is in the log then

        var first = world.add(ID, producer, Set.of(A), 2);
        var second = world.add(ID, producer, Set.of(B), 2);

        assertThat(world.settled(first).error()).isEqualTo(Errors.UNKNOWN_SERVER_ERROR);
        assertThat(second.join().error()).isEqualTo(Errors.NONE);
        assertThat(world.state(ID)).isEqualTo("Ongoing");
        assertThat(world.settled(world.end(ID, producer, true, 2)).error()).isEqualTo(Errors.NONE);
        assertThat(world.markers).extracting(Marker::partition).contains(B);
    }

    /// By the names of docs/metrics.md.
    @Test
    void transactionsAreCountedByStateAndByTheirEnd() {
        var producer = world.settled(world.init(ID));
        assertThat(ids("empty")).isEqualTo(1);
        world.settled(world.add(ID, producer, Set.of(A), 1));
        assertThat(ids("ongoing")).isEqualTo(1);
        assertThat(ids("empty")).isZero();

        world.holdMarkers(true);
        world.settled(world.end(ID, producer, true, 1));
        assertThat(ids("preparecommit")).isEqualTo(1);
        assertThat(ids("ongoing")).isZero();
        assertThat(ended("committed")).isZero();
        world.holdMarkers(false);
        world.settle();
        assertThat(ids("completecommit")).isEqualTo(1);
        assertThat(ended("committed")).isEqualTo(1);

        world.settled(world.add(ID, producer, Set.of(A), 1));
        world.settled(world.end(ID, producer, false, 1));
        assertThat(ids("completeabort")).isEqualTo(1);
        assertThat(ended("aborted")).isEqualTo(1);
        assertThat(ended("timed.out")).isZero();

        world.loop.advance(Duration.ofDays(7).plusHours(2));
        assertThat(ended("expired")).isEqualTo(1);
        assertThat(ids("completeabort")).isZero();
    }

    private double kafka(String name) {
        return world.meters.get("kafka.server.transaction.coordinator.metrics." + name).gauge().value();
    }

    private double ids(String state) {
        return world.meters.get("millrace.coordinator.transaction.ids." + state).gauge().value();
    }

    private double ended(String how) {
        return world.meters.get("millrace.coordinator.transaction." + how).counter().count();
    }
}
