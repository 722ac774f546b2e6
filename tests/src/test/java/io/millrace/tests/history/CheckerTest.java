package io.millrace.tests.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.millrace.tests.history.Violation.Complaint;
import io.millrace.tests.history.Violation.Displaced;
import io.millrace.tests.history.Violation.Duplicated;
import io.millrace.tests.history.Violation.Invented;
import io.millrace.tests.history.Violation.Lost;
import io.millrace.tests.history.Violation.PassedOver;
import io.millrace.tests.history.Violation.ReadBackwards;
import io.millrace.tests.history.Violation.Reordered;
import io.millrace.tests.history.Violation.TakenBack;
import io.millrace.tests.history.Writing.Acknowledged;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A checker is worth something once it has found every kind of fault.
class CheckerTest {

    /// Two writers, "once" idempotent and "often" not; the records of the log are given as `writer:number` from offset 0.
    private static History history(List<String> log, List<Acknowledged> acknowledged, List<Stored> read) {
        var once = new Writing("once", 0, true, 4, acknowledged);
        var often = new Writing("often", 0, false, 4, List.of());
        return new History(List.of(once, often), List.of(new Reading("reader", 0, read)), Map.of(0, log(log)), List
                .of());
    }

    private static List<Stored> log(List<String> marks) {
        return IntStream.range(0, marks.size()).mapToObj(i -> new Stored(i, Mark.parse(marks.get(i)))).toList();
    }

    private static List<Acknowledged> acknowledged(long... numbersAndOffsets) {
        return IntStream.range(0, numbersAndOffsets.length / 2)
                .mapToObj(i -> new Acknowledged(numbersAndOffsets[2 * i], numbersAndOffsets[2 * i + 1])).toList();
    }

    private static Stored at(long offset, String mark) {
        return new Stored(offset, Mark.parse(mark));
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of("an acknowledged record that is not there is lost",
                        history(List.of("once:0"), acknowledged(0, 0, 1, 1), List.of()), new Lost("once", 0, 1)),
                Arguments.of("so is one whose offset nobody told",
                        history(List.of("once:0"), acknowledged(1, Writing.UNTOLD), List.of()),
                        new Lost("once", 0, 1)),
                Arguments.of("so is one of a partition with nothing in it",
                        new History(List.of(new Writing("once", 3, true, 1, acknowledged(0, 0))), List.of(), Map.of(),
                                List.of()),
                        new Lost("once", 3, 0)),
                Arguments.of("an acknowledged record at another place is displaced",
                        history(List.of("often:0", "once:0"), acknowledged(0, 0), List.of()),
                        new Displaced("once", 0, 0, 0)),
                Arguments.of("an idempotent writer's record that is there twice is duplicated",
                        history(List.of("once:0", "once:1", "once:0"), acknowledged(0, 0, 1, 1), List.of()),
                        new Duplicated("once", 0, 0, 2)),
                Arguments.of("a record behind a later one of its writer is out of order",
                        history(List.of("once:1", "once:0"), List.of(), List.of()), new Reordered("once", 0, 0, 1)),
                Arguments.of("that holds for writers that are not idempotent",
                        history(List.of("often:0", "often:2", "often:1"), List.of(), List.of()),
                        new Reordered("often", 0, 1, 2)),
                Arguments.of("a record that was never sent is invented",
                        history(List.of("once:4"), List.of(), List.of()), new Invented(0, at(0, "once:4"))),
                Arguments.of("so is one that is no record of ours",
                        history(List.of("rubbish"), List.of(), List.of()), new Invented(0, at(0, "rubbish"))),
                Arguments.of("a record that was read and is gone is taken back",
                        history(List.of("once:0"), List.of(), List.of(at(0, "once:0"), at(1, "once:1"))),
                        new TakenBack("reader", 0, at(1, "once:1"))),
                Arguments.of("so is one with another in its place",
                        history(List.of("often:0"), List.of(), List.of(at(0, "once:0"))),
                        new TakenBack("reader", 0, at(0, "once:0"))),
                Arguments.of("an offset that a reader gets twice is read backwards",
                        history(List.of("once:0", "once:1"), List.of(),
                                List.of(at(0, "once:0"), at(1, "once:1"), at(1, "once:1"))),
                        new ReadBackwards("reader", 0, 1, 1)),
                Arguments.of("a record between two that were read is passed over",
                        history(List.of("once:0", "once:1", "once:2"), List.of(),
                                List.of(at(0, "once:0"), at(2, "once:2"))),
                        new PassedOver("reader", 0, at(1, "once:1"))),
                Arguments.of("what a client complains of is told",
                        new History(List.of(), List.of(), Map.of(), List.of(new Complaint("reader", "log truncated"))),
                        new Complaint("reader", "log truncated")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void aPlantedFaultIsFoundAndNothingElse(String what, History history, Violation violation) {
        assertThat(Checker.check(history).violations()).as(what).containsExactly(violation);
    }

    @Test
    void aGoodHistoryIsCounted() {
        var report = Checker.check(history(List.of("once:0", "often:0", "often:1", "often:0", "once:2"),
                acknowledged(0, 0, 2, Writing.UNTOLD), List.of(at(1, "often:0"), at(2, "often:1"))));

        assertThat(report).isEqualTo(new Report(8, 2, 2, 5, 1, List.of()));
        assertThat(report.text())
                .isEqualTo("sent=8 acknowledged=2 read=2 stored=5 repeated=1 violations={}");
    }

    @Test
    void whatWasNotAcknowledgedMayBeThereOrNot() {
        assertThat(Checker.check(history(List.of("once:0", "once:3"), acknowledged(0, 0), List.of())).violations())
                .isEmpty();
    }

    @Test
    void gapsBetweenOffsetsAreNotRecordsThatWerePassedOver() {
        var log = Map.of(0, List.of(at(0, "once:0"), at(7, "once:1")));
        var reading = new Reading("reader", 0, List.of(at(0, "once:0"), at(7, "once:1")));

        var report = Checker.check(new History(List.of(new Writing("once", 0, true, 2, List.of())), List.of(reading),
                log, List.of()));

        assertThat(report.violations()).isEmpty();
    }

    @Test
    void partitionsDoNotMix() {
        var writings = List.of(new Writing("once", 0, true, 1, acknowledged(0, 0)),
                new Writing("once", 1, true, 1, acknowledged(0, 0)));
        var log = Map.of(0, List.of(at(0, "once:0")), 1, List.<Stored>of());

        assertThat(Checker.check(new History(writings, List.of(), log, List.of())).violations())
                .containsExactly(new Lost("once", 1, 0));
    }

    /// Drawn at random: records of a good log are taken away, doubled or swapped, and each is found.
    @ParameterizedTest(name = "-Dseed={0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void faultsThatAreDrawnAreFound(long seed) {
        var random = new Random(seed);
        int count = 200;
        var good = LongStream.range(0, count).mapToObj(i -> new Mark("once", i)).toList();
        var broken = new ArrayList<>(good);
        int place = random.nextInt(count - 1);
        Class<? extends Violation> expected = switch (random.nextInt(3)) {
            case 0 -> {
                broken.remove(place);
                yield Lost.class;
            }
            case 1 -> {
                broken.add(place + 1 + random.nextInt(count - place), broken.get(place));
                yield Duplicated.class;
            }
            default -> {
                Collections.swap(broken, place, place + 1);
                yield Reordered.class;
            }
        };
        var acknowledged = good.stream().map(it -> new Acknowledged(it.number(), Writing.UNTOLD)).toList();
        var log = Map.of(0, log(broken.stream().map(Mark::text).toList()));

        var report = Checker.check(new History(List.of(new Writing("once", 0, true, count, acknowledged)), List.of(),
                log, List.of()));

        assertThat(report.violations()).hasSize(1).hasOnlyElementsOfType(expected);
        assertThat(report.count(expected)).isEqualTo(1);
    }
}
