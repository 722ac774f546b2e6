package io.millrace.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.millrace.coordinator.record.TransactionSnapshot;
import io.millrace.coordinator.record.TransactionState;
import io.millrace.coordinator.transaction.TransactionEvent.Add;
import io.millrace.coordinator.transaction.TransactionEvent.End;
import io.millrace.coordinator.transaction.TransactionEvent.Init;
import io.millrace.coordinator.transaction.TransactionEvent.MarkersWritten;
import io.millrace.coordinator.transaction.TransactionEvent.Tick;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What holds of every transition: each state, with every epoch that makes a difference, of clients of both transaction versions and
/// with what may have gone before, meets each event with every producer id, epoch and version it may name.
class EveryTransitionTest {
    private static final long ID = 100;
    private static final long NEXT_ID = 150;
    private static final long BEFORE_ID = 50;
    private static final long FRESH = 200;
    private static final long STRANGER = 999;
    private static final long NOW = 1_000_000;
    private static final int TIMEOUT = 60_000;
    private static final short LAST = Short.MAX_VALUE - 1;
    private static final Set<TopicPartition> PART = Set.of(new TopicPartition("t", 0));
    private static final Set<TopicPartition> MORE = Set.of(new TopicPartition("t", 1));
    private static final Map<TransactionState, Set<TransactionState>> FOLLOW = Map.of(
            TransactionState.EMPTY, Set.of(TransactionState.EMPTY, TransactionState.ONGOING,
                    TransactionState.COMPLETE_ABORT),
            TransactionState.ONGOING, Set.of(TransactionState.ONGOING, TransactionState.PREPARE_COMMIT,
                    TransactionState.PREPARE_ABORT),
            TransactionState.PREPARE_COMMIT, Set.of(TransactionState.COMPLETE_COMMIT),
            TransactionState.PREPARE_ABORT, Set.of(TransactionState.COMPLETE_ABORT),
            TransactionState.COMPLETE_COMMIT, Set.of(TransactionState.EMPTY, TransactionState.ONGOING,
                    TransactionState.COMPLETE_ABORT, TransactionState.COMPLETE_COMMIT),
            TransactionState.COMPLETE_ABORT, Set.of(TransactionState.EMPTY, TransactionState.ONGOING,
                    TransactionState.COMPLETE_ABORT));

    private static List<Transaction> transactions(TransactionState state) {
        var all = new ArrayList<Transaction>();
        boolean open = state == TransactionState.ONGOING || state.isPrepared();
        for (short epoch : new short[]{0, 1, 5, LAST - 1, LAST, Short.MAX_VALUE}) {
            for (short version : new short[]{0, 2}) {
                for (long previous : new long[]{TransactionSnapshot.NONE, BEFORE_ID}) {
                    for (short last : new short[]{Transaction.NO_EPOCH, (short) Math.max(0, epoch - 1), LAST}) {
                        all.add(new Transaction(new TransactionSnapshot(ID, previous, TransactionSnapshot.NONE, epoch,
                                TIMEOUT, state, open ? PART : Set.of(), NOW, NOW, version), last));
                    }
                }
                if (state.isPrepared() && version == 2 && epoch == Short.MAX_VALUE) {
                    all.add(new Transaction(new TransactionSnapshot(ID, TransactionSnapshot.NONE, NEXT_ID, epoch,
                            TIMEOUT, state, PART, NOW, NOW, version), LAST));
                }
            }
        }
        return all;
    }

    private static List<TransactionEvent> events(Transaction now) {
        var events = new ArrayList<TransactionEvent>(List.of(new Tick(), new MarkersWritten()));
        for (long fresh : new long[]{Transaction.NO_ID, FRESH}) {
            events.add(new Init(TIMEOUT, Transaction.NO_ID, Transaction.NO_EPOCH, fresh));
        }
        for (long id : new long[]{ID, NEXT_ID, BEFORE_ID, STRANGER}) {
            for (int epoch : Stream.of(0, 1, now.epoch() - 1, (int) now.epoch(), now.epoch() + 1, (int) LAST).distinct()
                    .filter(it -> it >= 0 && it <= Short.MAX_VALUE).toList()) {
                for (long fresh : new long[]{Transaction.NO_ID, FRESH}) {
                    events.add(new Init(TIMEOUT, id, (short) epoch, fresh));
                    for (short version : new short[]{0, 2}) {
                        events.add(new End(id, (short) epoch, true, version, fresh));
                        events.add(new End(id, (short) epoch, false, version, fresh));
                    }
                }
                for (short version : new short[]{0, 2}) {
                    events.add(new Add(id, (short) epoch, PART, version));
                    events.add(new Add(id, (short) epoch, MORE, version));
                }
            }
        }
        return events;
    }

    @ParameterizedTest
    @EnumSource(value = TransactionState.class, names = {"DEAD", "PREPARE_EPOCH_FENCE"}, mode = EnumSource.Mode.EXCLUDE)
    void holds(TransactionState state) {
        for (var now : transactions(state)) {
            for (var event : events(now)) {
                for (long millis : new long[]{NOW, NOW + TIMEOUT + 1}) {
                    check(now, event, millis);
                }
            }
        }
    }

    private static void check(Transaction now, TransactionEvent event, long millis) {
        var what = now + " " + event + " at " + millis;
        switch (TransactionMachine.decide(now, event, millis)) {
            case Decision.Become(var next, long id, short epoch) -> {
                checkNext(now, event, next, what);
                assertThat(event instanceof Init && epoch > LAST).as("the last epoch is given to nobody: %s", what)
                        .isFalse();
                if (next.state().isPrepared() && next.stored().nextProducerId() != TransactionSnapshot.NONE) {
                    assertThat(List.of(id, (long) epoch)).as(what).isEqualTo(List.of(FRESH, 0L));
                }
            }
            case Decision.BecomeFirst(var next) -> {
                checkNext(now, event, next, what);
                assertThat(next.state()).as("fenced first: %s", what).isEqualTo(TransactionState.PREPARE_ABORT);
            }
            case Decision.Done(long id, short epoch) -> assertThat(List.of(id, (long) epoch)).as(what).isEqualTo(List
                    .of(
                            now.producerId(), (long) now.epoch()));
            case Decision.Wait() -> assertThat(now.state().isPrepared()).as("there is an end to wait for: %s", what)
                    .isTrue();
            case Decision.NeedId() -> assertThat((event instanceof Init init && init
                    .freshId() == Transaction.NO_ID) || (event instanceof End end && end
                            .freshId() == Transaction.NO_ID)).as("asked for once: %s", what)
                    .isTrue();
            case Decision.Refuse(var error) -> assertThat(mayNotBeRefused(now, event)).as("%s: %s", error, what)
                    .isFalse();
        }
    }

    /// What somebody in good order may ask for at any time: a producer that begins anew, or goes on as itself, one that adds to
    /// its transaction, and one that ends it.
    private static boolean mayNotBeRefused(Transaction now, TransactionEvent event) {
        return switch (event) {
            case Tick _,MarkersWritten _ -> true;
            case Init init -> init.expectedId() == Transaction.NO_ID || isOf(now, init.expectedId(), init
                    .expectedEpoch());
            case Add add -> isOf(now, add.producerId(), add.epoch()) && !now.state().isPrepared();
            case End end -> isOf(now, end.producerId(), end.epoch()) && now.state() == TransactionState.ONGOING;
        };
    }

    private static boolean isOf(Transaction now, long producerId, short epoch) {
        return producerId == now.producerId() && epoch == now.epoch() && epoch <= LAST;
    }

    private static void checkNext(Transaction now, TransactionEvent event, Transaction next, String what) {
        assertThat(FOLLOW.getOrDefault(now.state(), Set.of())).as(what).contains(next.state());
        if (next.producerId() == now.producerId()) {
            assertThat(next.epoch()).as("an epoch never falls: %s", what).isGreaterThanOrEqualTo(now.epoch());
            assertThat(next.epoch() - now.epoch()).as(what).isLessThanOrEqualTo(1);
        } else {
            assertThat(next.epoch()).as("another id begins anew: %s", what).isZero();
            assertThat(next.stored().previousProducerId()).as(what).isEqualTo(now.producerId());
        }
        if (next.state().isPrepared()) {
            assertThat(next.partitions()).as("each partition has its marker: %s", what).isEqualTo(now.partitions());
        } else if (next.state() == TransactionState.ONGOING) {
            assertThat(next.partitions()).as(what).containsAll(now.partitions());
        } else {
            assertThat(next.partitions()).as(what).isEmpty();
        }
        if (now.state().isPrepared()) {
            assertThat(event).as("what is decided stays: %s", what).isInstanceOf(MarkersWritten.class);
        }
        if (event instanceof Add add) {
            assertThat(List.of(add.producerId(), (long) add.epoch())).as("nobody adds for another: %s", what).isEqualTo(
                    List.of(now.producerId(), (long) now.epoch()));
        }
        if (event instanceof End end && now.state() == TransactionState.ONGOING) {
            assertThat(List.of(end.producerId(), (long) end.epoch())).as("nobody ends that of another: %s", what)
                    .isEqualTo(List.of(now.producerId(), (long) now.epoch()));
            assertThat(next.state() == TransactionState.PREPARE_COMMIT).as(what).isEqualTo(end.commit());
        }
        if (next.state() == TransactionState.PREPARE_COMMIT) {
            assertThat(event).as("only its producer commits: %s", what).isInstanceOf(End.class);
        }
    }
}
