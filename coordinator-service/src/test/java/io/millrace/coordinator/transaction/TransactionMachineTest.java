package io.millrace.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.millrace.coordinator.record.TransactionSnapshot;
import io.millrace.coordinator.record.TransactionState;
import io.millrace.coordinator.transaction.TransactionEvent.Add;
import io.millrace.coordinator.transaction.TransactionEvent.End;
import io.millrace.coordinator.transaction.TransactionEvent.Init;
import io.millrace.coordinator.transaction.TransactionEvent.MarkersWritten;
import io.millrace.coordinator.transaction.TransactionEvent.Tick;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every event in every state, for clients of both transaction versions.
class TransactionMachineTest {
    private static final long ID = 100;
    private static final long FRESH = 200;
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private static final TopicPartition OTHER = new TopicPartition("t", 1);
    private static final long NOW = 1_000_000;

    /// What each event makes of each state: the state that follows, `=` for none, or an error. The epoch is 5 before, and
    /// what the client is told after.
    @ParameterizedTest(name = "{0} {1} v{2}")
    @CsvSource({
            "Empty, init, 1, Empty, 6", "Ongoing, init, 1, PrepareAbort first, 6", "PrepareCommit, init, 1, wait, ",
            "PrepareAbort, init, 1, wait, ", "CompleteCommit, init, 1, Empty, 6", "CompleteAbort, init, 1, Empty, 6",

            "Empty, add, 1, Ongoing, 5", "Ongoing, add, 1, =, 5", "PrepareCommit, add, 1, wait, ",
            "PrepareAbort, add, 1, wait, ", "CompleteCommit, add, 1, Ongoing, 5", "CompleteAbort, add, 1, Ongoing, 5",
            "Empty, add, 2, Ongoing, 5", "Ongoing, add, 2, =, 5", "PrepareCommit, add, 2, wait, ",
            "PrepareAbort, add, 2, wait, ", "CompleteCommit, add, 2, Ongoing, 5", "CompleteAbort, add, 2, Ongoing, 5",

            "Empty, commit, 1, INVALID_TXN_STATE, ", "Ongoing, commit, 1, PrepareCommit, 5",
            "PrepareCommit, commit, 1, wait, ", "PrepareAbort, commit, 1, INVALID_TXN_STATE, ",
            "CompleteCommit, commit, 1, =, 5", "CompleteAbort, commit, 1, INVALID_TXN_STATE, ",
            "Empty, commit, 2, INVALID_TXN_STATE, ", "Ongoing, commit, 2, PrepareCommit, 6",
            "PrepareCommit, commit, 2, wait, ", "PrepareAbort, commit, 2, wait, ",
            "CompleteCommit, commit, 2, INVALID_TXN_STATE, ", "CompleteAbort, commit, 2, INVALID_TXN_STATE, ",

            "Empty, abort, 1, INVALID_TXN_STATE, ", "Ongoing, abort, 1, PrepareAbort, 5",
            "PrepareCommit, abort, 1, INVALID_TXN_STATE, ", "PrepareAbort, abort, 1, wait, ",
            "CompleteCommit, abort, 1, INVALID_TXN_STATE, ", "CompleteAbort, abort, 1, =, 5",
            "Empty, abort, 2, CompleteAbort, 6", "Ongoing, abort, 2, PrepareAbort, 6",
            "PrepareCommit, abort, 2, wait, ", "PrepareAbort, abort, 2, wait, ",
            "CompleteCommit, abort, 2, CompleteAbort, 6", "CompleteAbort, abort, 2, CompleteAbort, 6",

            "Empty, markers, 1, =, 5", "Ongoing, markers, 1, =, 5", "PrepareCommit, markers, 1, CompleteCommit, 5",
            "PrepareAbort, markers, 1, CompleteAbort, 5", "CompleteCommit, markers, 1, =, 5",
            "CompleteAbort, markers, 1, =, 5",

            "Empty, late, 1, =, 5", "Ongoing, late, 1, PrepareAbort, 6", "PrepareCommit, late, 1, =, 5",
            "PrepareAbort, late, 1, =, 5", "CompleteCommit, late, 1, =, 5", "CompleteAbort, late, 1, =, 5",
            "Ongoing, late, 2, PrepareAbort, 6", "Ongoing, early, 1, =, 5"})
    void everyEventInEveryState(String state, String event, short version, String outcome, @Nullable Short epoch) {
        var now = transaction(TransactionState.labelled(state).orElseThrow(), version, (short) 5);
        boolean early = event.equals("early");

        var decision = TransactionMachine.decide(now, event(event, version), early ? NOW : NOW + 60_001);

        assertThat(shown(decision)).isEqualTo(outcome + (epoch == null ? "" : " " + epoch));
    }

    private static TransactionEvent event(String name, short version) {
        return switch (name) {
            case "init" -> new Init(60_000, Transaction.NO_ID, Transaction.NO_EPOCH, Transaction.NO_ID);
            case "add" -> new Add(ID, (short) 5, Set.of(PARTITION), version);
            case "commit" -> new End(ID, (short) 5, true, version, Transaction.NO_ID);
            case "abort" -> new End(ID, (short) 5, false, version, Transaction.NO_ID);
            case "markers" -> new MarkersWritten();
            default -> new Tick();
        };
    }

    private static String shown(Decision decision) {
        return switch (decision) {
            case Decision.Refuse(var error) -> error.name();
            case Decision.Done(_, short epoch) -> "= " + epoch;
            case Decision.Become(var next, _, short epoch) -> next.state().label() + " " + epoch;
            case Decision.BecomeFirst(var next) -> next.state().label() + " first " + next.epoch();
            case Decision.Wait() -> "wait";
            case Decision.NeedId() -> "id";
        };
    }

    private static Transaction transaction(TransactionState state, short version, short epoch) {
        boolean open = state == TransactionState.ONGOING || state.isPrepared();
        return new Transaction(new TransactionSnapshot(ID, Transaction.NO_ID, Transaction.NO_ID, epoch, 60_000, state,
                open ? Set.of(PARTITION) : Set.of(), NOW, NOW, (short) (version == 2 ? 2 : 0)), (short) (epoch - 1));
    }

    @Test
    void aProducerThatComesForTheFirstTimeGetsAFreshIdAndEpochZero() {
        assertThat(TransactionMachine.decide(null, init(-1, -1, -1), NOW)).isInstanceOf(Decision.NeedId.class);
        assertThat(TransactionMachine.decide(null, init(-1, -1, FRESH), NOW))
                .isInstanceOfSatisfying(Decision.Become.class, become -> {
                    assertThat(become.producerId()).isEqualTo(FRESH);
                    assertThat(become.epoch()).isZero();
                });
        assertThat(TransactionMachine.decide(null, new Add(ID, (short) 0, Set.of(PARTITION), (short) 0), NOW))
                .isEqualTo(new Decision.Refuse(Errors.INVALID_PRODUCER_ID_MAPPING));
    }

    @Test
    void aProducerThatNamesWhatItHasIsGivenTheNextEpochAndTheSameAgainWhereItRepeatsThat() {
        var first = become(TransactionMachine.decide(empty(5), init(ID, 5, -1), NOW));
        assertThat(first.epoch()).isEqualTo((short) 6);

        var again = become(TransactionMachine.decide(first.next(), init(ID, 5, -1), NOW));
        assertThat(again.epoch()).isEqualTo((short) 6);

        assertThat(TransactionMachine.decide(again.next(), init(ID, 4, -1), NOW))
                .isEqualTo(new Decision.Refuse(Errors.PRODUCER_FENCED));
        assertThat(TransactionMachine.decide(again.next(), init(ID + 1, 6, -1), NOW))
                .isEqualTo(new Decision.Refuse(Errors.PRODUCER_FENCED));
    }

    @Test
    void aProducerThatWasFencedDoesNotEndTheTransactionOfItsSuccessor() {
        var ongoing = transaction(TransactionState.ONGOING, (short) 1, (short) 5);

        assertThat(TransactionMachine.decide(ongoing, init(ID, 4, -1), NOW))
                .isEqualTo(new Decision.Refuse(Errors.PRODUCER_FENCED));
        assertThat(TransactionMachine.decide(ongoing, init(ID, 5, -1), NOW))
                .isInstanceOf(Decision.BecomeFirst.class);
    }

    @Test
    void anEpochThatIsUsedUpGivesWayToAFreshProducerId() {
        var last = empty(Short.MAX_VALUE - 1);

        assertThat(TransactionMachine.decide(last, init(-1, -1, -1), NOW)).isInstanceOf(Decision.NeedId.class);
        var rotated = become(TransactionMachine.decide(last, init(ID, Short.MAX_VALUE - 1, FRESH), NOW));
        assertThat(rotated.producerId()).isEqualTo(FRESH);
        assertThat(rotated.epoch()).isZero();
        assertThat(rotated.next().stored().previousProducerId()).isEqualTo(ID);

        var again = become(TransactionMachine.decide(rotated.next(), init(ID, Short.MAX_VALUE - 1, -1), NOW));
        assertThat(again.producerId()).isEqualTo(FRESH);
        assertThat(again.epoch()).isZero();
    }

    @Test
    void theLastEpochOfVersionTwoEndsItsTransactionAndTheNextOneHasAFreshId() {
        short last = Short.MAX_VALUE - 1;
        var ongoing = transaction(TransactionState.ONGOING, (short) 2, last);
        assertThat(TransactionMachine.decide(ongoing, new End(ID, last, true, (short) 2, -1), NOW))
                .isInstanceOf(Decision.NeedId.class);

        var prepared = become(TransactionMachine.decide(ongoing, new End(ID, last, true, (short) 2, FRESH), NOW));
        assertThat(prepared.producerId()).isEqualTo(FRESH);
        assertThat(prepared.epoch()).isZero();
        assertThat(prepared.next().producerId()).as("markers go under the old id").isEqualTo(ID);
        assertThat(prepared.next().epoch()).isEqualTo(Short.MAX_VALUE);

        var completed = become(TransactionMachine.decide(prepared.next(), new MarkersWritten(), NOW)).next();
        assertThat(completed.producerId()).isEqualTo(FRESH);
        assertThat(TransactionMachine.decide(completed, new End(ID, last, true, (short) 2, -1), NOW))
                .as("the same request again").isEqualTo(new Decision.Done(FRESH, (short) 0));
    }

    /// KAFKA-18464: it has its next epoch before the markers of the last transaction are written.
    @ParameterizedTest
    @CsvSource({"true, false", "false, false", "true, true", "false, true"})
    void anEndThatComesRightAfterTheLastOneWaitsForItsMarkers(boolean ended, boolean next) {
        var ongoing = transaction(TransactionState.ONGOING, (short) 2, (short) 5);
        var prepared = become(TransactionMachine.decide(ongoing, new End(ID, (short) 5, ended, (short) 2, -1), NOW));
        var end = new End(ID, prepared.epoch(), next, (short) 2, -1);

        assertThat(TransactionMachine.decide(prepared.next(), end, NOW)).isEqualTo(new Decision.Wait());
        var completed = become(TransactionMachine.decide(prepared.next(), new MarkersWritten(), NOW)).next();

        assertThat(shown(TransactionMachine.decide(completed, end, NOW))).isEqualTo(next
                ? "INVALID_TXN_STATE"
                : "CompleteAbort 7");
    }

    /// KAFKA-18660.
    @Test
    void theNextProducerIdWaitsForTheMarkersOfTheLastOne() {
        short last = Short.MAX_VALUE - 1;
        var ongoing = transaction(TransactionState.ONGOING, (short) 2, last);
        var prepared = become(TransactionMachine.decide(ongoing, new End(ID, last, true, (short) 2, FRESH), NOW))
                .next();

        for (var event : List.of(new Add(FRESH, (short) 0, Set.of(OTHER), (short) 2), new End(FRESH, (short) 0, false,
                (short) 2, -1), init(FRESH, 0, -1))) {
            assertThat(TransactionMachine.decide(prepared, event, NOW)).isEqualTo(new Decision.Wait());
        }
        assertThat(TransactionMachine.verify(prepared, FRESH, (short) 0, OTHER)).isEqualTo(
                Errors.CONCURRENT_TRANSACTIONS);
        assertThat(TransactionMachine.decide(prepared, new Add(FRESH, (short) 1, Set.of(OTHER), (short) 2), NOW))
                .isEqualTo(new Decision.Refuse(Errors.INVALID_PRODUCER_ID_MAPPING));
    }

    /// The client of version 2 learns of it when it ends the transaction.
    @ParameterizedTest
    @CsvSource({"5, true, PRODUCER_FENCED, PRODUCER_FENCED", "5, false, wait, = 6",
            "32766, true, PRODUCER_FENCED, PRODUCER_FENCED", "32766, false, wait, id"})
    void whoeverEndsWhatTookTooLongIsToldThatItWasAborted(short epoch, boolean commit, String early, String late) {
        var ongoing = transaction(TransactionState.ONGOING, (short) 2, epoch);
        var aborting = become(TransactionMachine.decide(ongoing, new Tick(), NOW + 60_001)).next();
        var aborted = become(TransactionMachine.decide(aborting, new MarkersWritten(), NOW)).next();
        var end = new End(ID, epoch, commit, (short) 2, Transaction.NO_ID);

        assertThat(shown(TransactionMachine.decide(aborting, end, NOW))).isEqualTo(early);
        assertThat(shown(TransactionMachine.decide(aborted, end, NOW))).isEqualTo(late);
    }

    /// KAFKA-20090: the last epoch of all only fences. A producer that was aborted under it goes on under another id.
    @Test
    void afterATimeoutUnderTheLastEpochAProducerGoesOnUnderAFreshId() {
        short last = Short.MAX_VALUE - 1;
        var ongoing = transaction(TransactionState.ONGOING, (short) 2, last);
        var aborting = become(TransactionMachine.decide(ongoing, new Tick(), NOW + 60_001)).next();
        assertThat(aborting.epoch()).isEqualTo(Short.MAX_VALUE);
        var aborted = become(TransactionMachine.decide(aborting, new MarkersWritten(), NOW)).next();

        var reborn = become(TransactionMachine.decide(aborted, new End(ID, last, false, (short) 2, FRESH), NOW));
        assertThat(reborn.producerId()).isEqualTo(FRESH);
        assertThat(reborn.epoch()).isZero();
        assertThat(TransactionMachine.decide(reborn.next(), new End(ID, last, false, (short) 2, -1), NOW))
                .as("the same request again").isEqualTo(new Decision.Done(FRESH, (short) 0));
        assertThat(become(TransactionMachine.decide(reborn.next(), new Add(FRESH, (short) 0, Set.of(OTHER), (short) 2),
                NOW)).next().state()).isEqualTo(TransactionState.ONGOING);

        var begun = become(TransactionMachine.decide(aborted, init(-1, -1, FRESH), NOW));
        assertThat(begun.producerId()).isEqualTo(FRESH);
    }

    /// Everything that may come, in every state, near the last epoch.
    @ParameterizedTest
    @ValueSource(shorts = {0, 5, 32_765, 32_766, 32_767})
    void nobodyIsGivenTheLastEpochAndNoneIsNegative(short epoch) {
        for (var state : TransactionState.values()) {
            for (short version = 1; version <= 2; version++) {
                var now = transaction(state, version, epoch);
                for (var event : events(epoch, version)) {
                    var decision = TransactionMachine.decide(now, event, NOW + 60_001);
                    if (decision instanceof Decision.Become(var next, _, short told)) {
                        assertThat(next.epoch()).as("%s %s", state, event).isNotNegative();
                        assertThat(told).as("%s %s", state, event).isBetween((short) 0, event instanceof Tick
                                || event instanceof MarkersWritten ? Short.MAX_VALUE : (short) (Short.MAX_VALUE - 1));
                    } else if (decision instanceof Decision.Done(_, short told) && !(event instanceof Tick
                            || event instanceof MarkersWritten)) {
                        assertThat(told).as("%s %s", state, event).isLessThan(Short.MAX_VALUE);
                    } else if (decision instanceof Decision.BecomeFirst(var next)) {
                        assertThat(next.epoch()).as("%s %s", state, event).isNotNegative();
                    }
                }
            }
        }
    }

    private static List<TransactionEvent> events(short epoch, short version) {
        var events = new ArrayList<TransactionEvent>(List.of(new Tick(), new MarkersWritten(), init(-1, -1, -1), init(
                -1,
                -1, FRESH)));
        for (int named = Math.max(0, epoch - 1); named <= Math.min(Short.MAX_VALUE, epoch + 1); named++) {
            for (long fresh : new long[]{Transaction.NO_ID, FRESH}) {
                events.add(init(ID, named, fresh));
                events.add(new End(ID, (short) named, true, version, fresh));
                events.add(new End(ID, (short) named, false, version, fresh));
            }
            events.add(new Add(ID, (short) named, Set.of(OTHER), version));
        }
        return events;
    }

    @ParameterizedTest
    @CsvSource({"true, true, =", "false, false, =", "true, false, INVALID_TXN_STATE", "false, true, INVALID_TXN_STATE"})
    void anEndOfVersionTwoThatIsRepeatedIsAnsweredAsBefore(boolean ended, boolean asked, String outcome) {
        var ongoing = transaction(TransactionState.ONGOING, (short) 2, (short) 5);
        var prepared = become(TransactionMachine.decide(ongoing, new End(ID, (short) 5, ended, (short) 2, -1), NOW));
        var repeated = new End(ID, (short) 5, asked, (short) 2, -1);

        if (ended == asked) {
            assertThat(TransactionMachine.decide(prepared.next(), repeated, NOW)).isEqualTo(new Decision.Wait());
        }
        var completed = become(TransactionMachine.decide(prepared.next(), new MarkersWritten(), NOW)).next();

        assertThat(shown(TransactionMachine.decide(completed, repeated, NOW))).startsWith(outcome);
    }

    @ParameterizedTest
    @CsvSource({"100, 4", "100, 6", "99, 5"})
    void nobodyElseAddsToATransactionOrEndsIt(long id, short epoch) {
        var ongoing = transaction(TransactionState.ONGOING, (short) 1, (short) 5);
        var error = id == ID ? Errors.PRODUCER_FENCED : Errors.INVALID_PRODUCER_ID_MAPPING;

        for (short version = 1; version <= 2; version++) {
            assertThat(TransactionMachine.decide(ongoing, new Add(id, epoch, Set.of(OTHER), version), NOW))
                    .isEqualTo(new Decision.Refuse(error));
            assertThat(TransactionMachine.decide(ongoing, new End(id, epoch, true, version, -1), NOW))
                    .isEqualTo(new Decision.Refuse(error));
        }
        assertThat(TransactionMachine.verify(ongoing, id, epoch, PARTITION)).isEqualTo(error);
    }

    @Test
    void partitionsGatherInATransactionAndTheNextOneBeginsWithout() {
        var ongoing = transaction(TransactionState.ONGOING, (short) 1, (short) 5);
        var more = become(TransactionMachine.decide(ongoing, new Add(ID, (short) 5, Set.of(OTHER), (short) 0), NOW
                + 9));
        assertThat(more.next().partitions()).containsExactly(PARTITION, OTHER);
        assertThat(more.next().stored().startedMillis()).isEqualTo(NOW);

        var complete = transaction(TransactionState.COMPLETE_COMMIT, (short) 1, (short) 5);
        var next = become(TransactionMachine.decide(complete, new Add(ID, (short) 5, Set.of(OTHER), (short) 0), NOW
                + 9));
        assertThat(next.next().partitions()).containsExactly(OTHER);
        assertThat(next.next().stored().startedMillis()).isEqualTo(NOW + 9);
    }

    @Test
    void aPartitionIsVerifiedWhereItWasAdded() {
        var ongoing = transaction(TransactionState.ONGOING, (short) 1, (short) 5);

        assertThat(TransactionMachine.verify(ongoing, ID, (short) 5, PARTITION)).isEqualTo(Errors.NONE);
        assertThat(TransactionMachine.verify(ongoing, ID, (short) 5, OTHER)).isEqualTo(Errors.TRANSACTION_ABORTABLE);
        assertThat(TransactionMachine.verify(null, ID, (short) 5, OTHER))
                .isEqualTo(Errors.INVALID_PRODUCER_ID_MAPPING);
        assertThat(TransactionMachine.verify(transaction(TransactionState.PREPARE_ABORT, (short) 1, (short) 5), ID,
                (short) 5, PARTITION)).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
    }

    @ParameterizedTest
    @CsvSource({"EMPTY, true", "ONGOING, false", "PREPARE_COMMIT, false", "PREPARE_ABORT, false",
            "COMPLETE_COMMIT, true", "COMPLETE_ABORT, true"})
    void anIdIsForgottenOnceNothingIsOpen(TransactionState state, boolean expires) {
        var now = transaction(state, (short) 1, (short) 5);

        assertThat(TransactionMachine.expired(now, 1_000, NOW + 999)).isFalse();
        assertThat(TransactionMachine.expired(now, 1_000, NOW + 1_000)).isEqualTo(expires);
    }

    private static Init init(long id, int epoch, long fresh) {
        return new Init(60_000, id, (short) epoch, fresh);
    }

    private static Transaction empty(int epoch) {
        return transaction(TransactionState.EMPTY, (short) 1, (short) epoch);
    }

    private static Decision.Become become(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Become.class);
        return (Decision.Become) decision;
    }
}
