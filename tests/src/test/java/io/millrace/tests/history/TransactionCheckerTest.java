package io.millrace.tests.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.millrace.tests.history.Transaction.Part;
import io.millrace.tests.history.Violation.AbortedRead;
import io.millrace.tests.history.Violation.Displaced;
import io.millrace.tests.history.Violation.Duplicated;
import io.millrace.tests.history.Violation.Hanging;
import io.millrace.tests.history.Violation.Invented;
import io.millrace.tests.history.Violation.Lost;
import io.millrace.tests.history.Violation.PassedOver;
import io.millrace.tests.history.Violation.Reordered;
import io.millrace.tests.history.Violation.TakenBack;
import io.millrace.tests.history.Violation.Torn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A checker is worth something once it has found every kind of fault.
class TransactionCheckerTest {

    private static final Transaction BOTH = transaction(Outcome.COMMITTED, part(0, 0), part(1, 0));
    private static final Transaction ABORTED = transaction(Outcome.ABORTED, part(0, 1));
    private static final Transaction UNKNOWN = transaction(Outcome.UNKNOWN, part(0, 2), part(1, 1));
    private static final List<Transaction> ALL = List.of(BOTH, ABORTED, UNKNOWN);

    private static Transaction transaction(Outcome outcome, Part... parts) {
        return new Transaction("w", outcome, List.of(parts));
    }

    private static Part part(int partition, long number) {
        return new Part(partition, number, Writing.UNTOLD);
    }

    /// Partition 0 and partition 1, as marks of the one writer from offset 0.
    private static Map<Integer, List<Stored>> log(List<Integer> zero, List<Integer> one) {
        return Map.of(0, stored(zero), 1, stored(one));
    }

    private static List<Stored> stored(List<Integer> numbers) {
        return IntStream.range(0, numbers.size()).mapToObj(i -> at(i, numbers.get(i))).toList();
    }

    private static Stored at(long offset, long number) {
        return new Stored(offset, new Mark("w", number));
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of("a committed transaction of which nothing is there is lost", ALL, List.of(),
                        log(List.of(), List.of()), List.of(new Lost("w", 0, 0), new Lost("w", 1, 0))),
                Arguments.of("one of which a part is there is torn, and that part lost", ALL, List.of(),
                        log(List.of(0), List.of()), List.of(new Lost("w", 1, 0), new Torn(BOTH, 1))),
                Arguments.of("one that nobody knows the end of must not be torn either", ALL, List.of(),
                        log(List.of(0, 2), List.of(0)), List.of(new Torn(UNKNOWN, 1))),
                Arguments.of("a record of the same number in another partition does not count for it",
                        List.of(transaction(Outcome.UNKNOWN, part(0, 0), part(1, 0), part(2, 0))), List.of(),
                        log(List.of(0), List.of()),
                        List.of(new Torn(transaction(Outcome.UNKNOWN, part(0, 0), part(1, 0), part(2, 0)), 1))),
                Arguments.of("a record of an aborted transaction must not be there", ALL, List.of(),
                        log(List.of(0, 1), List.of(0)), List.of(new AbortedRead("the last reader", 0, at(1, 1)))),
                Arguments.of("nor may a reader have seen it before",
                        ALL, List.of(new Reading("r", 0, List.of(at(0, 0), at(1, 1)))),
                        log(List.of(0), List.of(0)),
                        List.of(new TakenBack("r", 0, at(1, 1)), new AbortedRead("r", 0, at(1, 1)))),
                Arguments.of("a committed record that is there twice is duplicated", ALL, List.of(),
                        log(List.of(0, 0), List.of(0)), List.of(new Duplicated("w", 0, 0, 1))),
                Arguments.of("records out of their order", ALL, List.of(),
                        log(List.of(2, 0), List.of(0, 1)), List.of(new Reordered("w", 0, 0, 1))),
                Arguments.of("a record of no transaction", ALL, List.of(),
                        log(List.of(0, 7), List.of(0)), List.of(new Invented(0, at(1, 7)))),
                Arguments.of("a committed record at another place than was told",
                        List.of(transaction(Outcome.COMMITTED, new Part(0, 0, 5))), List.of(),
                        log(List.of(0), List.of()), List.of(new Displaced("w", 0, 0, 5))),
                Arguments.of("a committed record that a reader went past",
                        ALL, List.of(new Reading("r", 0, List.of(at(0, 0), at(2, 2)))),
                        Map.of(0, List.of(at(0, 0), at(1, 0), at(2, 2)), 1, stored(List.of(0, 1))),
                        List.of(new Duplicated("w", 0, 0, 1), new PassedOver("r", 0, at(1, 0)))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void aPlantedFaultIsFoundAndNothingElse(String what, List<Transaction> transactions, List<Reading> readings,
            Map<Integer, List<Stored>> log, List<Violation> violations) {
        assertThat(TransactionChecker.check(transactions, readings, log, List.of()).violations()).as(what)
                .containsExactlyInAnyOrderElementsOf(violations);
    }

    @Test
    void aGoodHistoryIsCountedWhicheverEndTheUnknownOneHad() {
        assertThat(TransactionChecker.check(ALL, List.of(new Reading("r", 0, stored(List.of(0, 2)))),
                log(List.of(0, 2), List.of(0, 1)), List.of())).isEqualTo(new Report(5, 2, 2, 4, 0, List.of()));
        assertThat(TransactionChecker.check(ALL, List.of(), log(List.of(0), List.of(0)), List.of()).violations())
                .isEmpty();
    }

    @Test
    void aPartitionWhoseEndIsHiddenHangs() {
        assertThat(TransactionChecker.hanging("t", Map.of(0, 5L, 1, 3L), Map.of(0, 5L, 1, 4L))).containsExactly(
                new Hanging("t", 1, 3, 4));
        assertThat(TransactionChecker.hanging("t", Map.of(), Map.of(0, 0L))).containsExactly(new Hanging("t", 0, -1,
                0));
    }

    static Stream<Arguments> copies() {
        return Stream.of(
                Arguments.of("a record that was not copied is lost", log(List.of(0), List.of(0, 1)),
                        new Lost("w", 0, 2)),
                Arguments.of("one that was copied twice is duplicated", log(List.of(0, 2, 2), List.of(0, 1)),
                        new Duplicated("w", 0, 2, 2)),
                Arguments.of("order is kept", log(List.of(2, 0), List.of(0, 1)), new Reordered("w", 0, 0, 1)),
                Arguments.of("what was aborted before the chain is not there behind it",
                        log(List.of(0, 1, 2), List.of(0, 1)), new AbortedRead("the last reader", 0, at(1, 1))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("copies")
    void aFaultOfACopyIsFoundAndNothingElse(String what, Map<Integer, List<Stored>> copy, Violation violation) {
        assertThat(TransactionChecker.checkCopy(ALL, log(List.of(0, 2), List.of(0, 1)), copy).violations()).as(what)
                .containsExactly(violation);
    }

    @Test
    void aWholeCopyIsGood() {
        var source = log(List.of(0, 2), List.of(0, 1));
        assertThat(TransactionChecker.checkCopy(ALL, source, source).violations()).isEmpty();
    }

    /// Drawn at random: of a good history a transaction is torn, doubled, hidden, shown, or two change places.
    @ParameterizedTest(name = "-Dseed={0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void faultsThatAreDrawnAreFound(long seed) {
        var random = new Random(seed);
        var transactions = new ArrayList<Transaction>();
        var logs = List.<List<Mark>>of(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < 100; i++) {
            var outcome = i % 3 == 2 ? Outcome.ABORTED : Outcome.COMMITTED;
            transactions.add(transaction(outcome, part(0, i), part(1, i)));
            if (outcome == Outcome.COMMITTED) {
                logs.forEach(marks -> marks.add(new Mark("w", marks.size() / 2 * 3L + marks.size() % 2)));
            }
        }
        var broken = logs.get(random.nextInt(2));
        int place = random.nextInt(broken.size() - 1);
        Class<? extends Violation> expected = switch ((int) seed % 4) {
            case 0 -> {
                broken.remove(place);
                yield Torn.class;
            }
            case 1 -> {
                broken.add(place + 1 + random.nextInt(broken.size() - place), broken.get(place));
                yield Duplicated.class;
            }
            case 2 -> {
                broken.add(place / 2 * 2 + 2, new Mark("w", place / 2 * 3L + 2));
                yield AbortedRead.class;
            }
            default -> {
                Collections.swap(broken, place, place + 1);
                yield Reordered.class;
            }
        };

        var found = Map.of(0, asStored(logs.getFirst()), 1, asStored(logs.getLast()));
        var report = TransactionChecker.check(transactions, List.of(), found, List.of());

        assertThat(report.count(expected)).as(report.text()).isEqualTo(1);
    }

    private static List<Stored> asStored(List<Mark> marks) {
        return IntStream.range(0, marks.size()).mapToObj(i -> new Stored(i, marks.get(i))).toList();
    }
}
