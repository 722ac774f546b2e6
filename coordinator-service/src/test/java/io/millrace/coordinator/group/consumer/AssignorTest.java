package io.millrace.coordinator.group.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.coordinator.group.consumer.Assignor.Candidate;
import io.millrace.coordinator.group.consumer.Assignor.Task;
import io.millrace.coordinator.record.Partitions;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AssignorTest {

    static LongStream seeds() {
        return Seeds.of(200);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void everyPartitionThatIsReadHasOneReaderThatAskedForIt(long seed) {
        var random = new Random(seed);
        for (var assignor : Assignor.values()) {
            var task = task(random, random.nextBoolean(), Map.of());
            for (int round = 0; round < 3; round++) {
                var targets = assignor.assign(task);
                check(task, targets);
                if (assignor == Assignor.UNIFORM && sameTopics(task)) {
                    var sizes = targets.values().stream().mapToInt(Partitions::size).summaryStatistics();
                    assertThat(sizes.getMax() - sizes.getMin()).isLessThanOrEqualTo(1);
                }
                task = task(random, sameTopics(task), targets);
            }
        }
    }

    @Test
    void whoLeavesMovesOnlyItsPartitions() {
        var topic = new Uuid(0, 1);
        var task = new Task(new TreeMap<>(), new TreeMap<>(Map.of(topic, 10)));
        for (var id : new String[]{"a", "b", "c"}) {
            task.members().put(id, new Candidate(id, id, new TreeSet<>(List.of(topic)), Partitions.NONE));
        }
        var before = Assignor.UNIFORM.assign(task);
        task.members().remove("c");
        before.forEach((id, had) -> task.members().computeIfPresent(id, (_, member) -> new Candidate(id, id, member
                .topics(), had)));

        var after = Assignor.UNIFORM.assign(task);

        for (var id : new String[]{"a", "b"}) {
            assertThat(Objects.requireNonNull(before.get(id)).minus(Objects.requireNonNull(after.get(id)))).isEqualTo(
                    Partitions.NONE);
            assertThat(Objects.requireNonNull(after.get(id)).size()).isEqualTo(5);
        }
    }

    private static boolean sameTopics(Task task) {
        return task.members().values().stream().map(Candidate::topics).distinct().count() <= 1;
    }

    private static Task task(Random random, boolean same, Map<String, Partitions> had) {
        var task = new Task(new TreeMap<>(), new TreeMap<>());
        for (int topic = 0; topic < 4; topic++) {
            task.partitions().put(new Uuid(0, topic), 1 + random.nextInt(8));
        }
        for (int member = 0; member < 1 + random.nextInt(6); member++) {
            var topics = new TreeSet<>(task.partitions().keySet());
            if (!same) {
                topics.removeIf(_ -> random.nextInt(3) == 0);
            }
            var id = "m" + random.nextInt(8);
            task.members().put(id, new Candidate(id, id, topics, had.getOrDefault(id, Partitions.NONE)));
        }
        return task;
    }

    private static void check(Task task, Map<String, Partitions> targets) {
        assertThat(targets.keySet()).isEqualTo(task.members().keySet());
        var readers = new HashMap<String, String>();
        targets.forEach((id, target) -> target.byTopic().forEach((topic, numbers) -> numbers.forEach(number -> {
            assertThat(Objects.requireNonNull(task.members().get(id)).topics()).contains(topic);
            assertThat(number).isBetween(0, Objects.requireNonNull(task.partitions().get(topic)) - 1);
            assertThat(readers.put(topic + "-" + number, id)).isNull();
        })));
        var read = new HashSet<Uuid>();
        task.members().values().forEach(member -> read.addAll(member.topics()));
        assertThat(readers).hasSize(read.stream().mapToInt(topic -> Objects.requireNonNull(task.partitions().get(
                topic)))
                .sum());
    }
}
