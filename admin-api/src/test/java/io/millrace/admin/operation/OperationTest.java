package io.millrace.admin.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import io.millrace.admin.operation.Operation.Limits;
import io.millrace.admin.operation.Operation.State;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import org.junit.jupiter.api.Test;

/// What operations become by the metadata, and the throttles that they want, on a controller that is these few lines.
class OperationTest {
    private ClusterImage image = ClusterImage.EMPTY;

    private void has(int partition, List<Integer> replicas, List<Integer> adding, List<Integer> removing) {
        var topic = image.topic("t").orElseGet(() -> TopicImage.of("t", new UUID(1, 1)));
        image = image.with(image.topics().with(topic.with(new PartitionImage(partition, replicas, replicas, adding,
                removing, 1, 0, 0))));
    }

    /// The controller makes of a wish what it is asked.
    private void moves(Move move, List<Integer> to) {
        var now = image.partition("t", move.partition()).orElseThrow();
        var origin = now.replicas().stream().filter(id -> !now.adding().contains(id)).toList();
        var adding = to.stream().filter(id -> !origin.contains(id)).toList();
        var removing = origin.stream().filter(id -> !to.contains(id)).toList();
        var all = new java.util.ArrayList<>(to);
        all.addAll(removing);
        has(move.partition(), all, adding, removing);
    }

    private void arrives(int partition) {
        var now = image.partition("t", partition).orElseThrow();
        has(partition, now.replicas().stream().filter(id -> !now.removing().contains(id)).toList(), List.of(), List
                .of());
    }

    private static Operation operation(Limits limits, Move... moves) {
        return Operation.begin("o", OperationType.REASSIGNMENT, null, "me", 0, limits, List.of(moves));
    }

    private Operation two(Limits limits) {
        has(0, List.of(1, 2), List.of(), List.of());
        has(1, List.of(2, 1), List.of(), List.of());
        return operation(limits, Move.queued("t", 0, List.of(1, 2), List.of(3, 2), 100), Move.queued("t", 1, List.of(2,
                1), List.of(3, 1), 100));
    }

    private static List<Move.State> states(Operation operation) {
        return operation.moves().stream().map(Move::state).toList();
    }

    @Test
    void movesBeginAsBrokersHaveRoomAndEndAsTheyArrive() {
        var operation = two(new Limits(null, 1)).next(image, true);
        assertThat(states(operation)).containsExactly(Move.State.BEGINNING, Move.State.QUEUED);

        moves(operation.moves().getFirst(), List.of(3, 2));
        operation = operation.next(image, true);
        assertThat(states(operation)).containsExactly(Move.State.COPYING, Move.State.QUEUED);

        arrives(0);
        operation = operation.next(image, true).next(image, true);
        assertThat(states(operation)).containsExactly(Move.State.DONE, Move.State.BEGINNING);

        moves(operation.moves().getLast(), List.of(3, 1));
        arrives(1);
        assertThat(operation.next(image, true).state()).isEqualTo(State.COMPLETED);
    }

    @Test
    void whatSomebodyElseCallsOffIsCancelledAndWhatIsGoneHasFailed() {
        var operation = two(Limits.DEFAULTS).next(image, true);
        operation.moves().forEach(move -> moves(move, move.to()));
        operation = operation.next(image, true);
        has(0, List.of(1, 2), List.of(), List.of());
        has(1, List.of(4, 2, 1), List.of(4), List.of(2, 1));

        operation = operation.next(image, true);

        assertThat(states(operation)).containsExactly(Move.State.CANCELLED, Move.State.FAILED);
        assertThat(operation.state()).isEqualTo(State.FAILED);
    }

    @Test
    void pausedBeginsNothing() {
        var operation = two(Limits.DEFAULTS).in(State.PAUSED).next(image, true);
        assertThat(states(operation)).containsOnly(Move.State.QUEUED);
        assertThat(states(operation.in(State.RUNNING).next(image, true))).containsOnly(Move.State.BEGINNING);
    }

    @Test
    void calledOffEverythingGoesBackWhereItWas() {
        var operation = two(new Limits(null, 1)).next(image, true);
        moves(operation.moves().getFirst(), List.of(3, 2));
        arrives(0);
        operation = operation.next(image, true).next(image, true).cancel(true).next(image, true);
        assertThat(states(operation)).containsExactly(Move.State.RETURNING, Move.State.RETURNING);

        moves(operation.moves().getFirst(), List.of(1, 2));
        arrives(0);
        operation = operation.next(image, true);

        assertThat(states(operation)).containsOnly(Move.State.CANCELLED);
        assertThat(operation.state()).isEqualTo(State.CANCELLED);
    }

    @Test
    void calledOffWithoutRollbackWhatIsDoneStays() {
        var operation = two(new Limits(null, 1)).next(image, true);
        moves(operation.moves().getFirst(), List.of(3, 2));
        arrives(0);
        operation = operation.next(image, true).cancel(false).next(image, true);
        assertThat(states(operation)).containsExactly(Move.State.DONE, Move.State.CANCELLED);
        assertThat(operation.state()).isEqualTo(State.CANCELLED);
    }

    @Test
    void operationIsOverOnlyOnceItsThrottlesAreGone() {
        var operation = two(new Limits(500L, 10)).next(image, false);
        var set = Throttles.changes(List.of(operation), image);
        assertThat(ops(set, "t")).containsExactlyInAnyOrder("leader.replication.throttled.replicas=0:1,0:2,1:1,1:2",
                "follower.replication.throttled.replicas=0:3,1:3");
        assertThat(ops(set, "3")).containsExactlyInAnyOrder("leader.replication.throttled.rate=500",
                "follower.replication.throttled.rate=500");
        apply(set);
        assertThat(Throttles.changes(List.of(operation), image)).isEmpty();

        operation.moves().forEach(move -> has(move.partition(), move.to(), List.of(), List.of()));
        operation = operation.next(image, false);
        assertThat(operation.settled()).isTrue();
        assertThat(operation.state()).isEqualTo(State.RUNNING);

        apply(Throttles.changes(List.of(operation), image));
        assertThat(image.configs().byResource()).isEmpty();
        assertThat(operation.next(image, true).state()).isEqualTo(State.COMPLETED);
    }

    @Test
    void throttleOfAnotherOperationStaysWhenOneEnds() {
        var first = two(new Limits(500L, 10)).next(image, false);
        has(2, List.of(1, 2), List.of(), List.of());
        var second = operation(new Limits(300L, 10), Move.queued("t", 2, List.of(1, 2), List.of(3, 2), 1)).next(image,
                false);
        apply(Throttles.changes(List.of(first, second), image));
        first.moves().forEach(move -> has(move.partition(), move.to(), List.of(), List.of()));

        apply(Throttles.changes(List.of(first.next(image, false), second), image));

        assertThat(image.topicConfig("t")).containsEntry("follower.replication.throttled.replicas", "2:3");
        assertThat(image.configs().of(io.millrace.metadata.image.ConfigResource.broker(3))).containsEntry(
                "follower.replication.throttled.rate", "300");
    }

    private static List<String> ops(List<ConfigAlteration> changes, String resource) {
        return changes.stream().filter(change -> change.resource().name().equals(resource)).flatMap(change -> change
                .ops().stream()).map(op -> op.key() + "=" + op.value()).toList();
    }

    private void apply(List<ConfigAlteration> changes) {
        for (var change : changes) {
            var values = new java.util.HashMap<>(image.configs().of(change.resource()));
            for (Op op : change.ops()) {
                if (op.value() == null) {
                    values.remove(op.key());
                } else {
                    values.put(op.key(), op.value());
                }
            }
            image = image.with(image.configs().with(change.resource(), Map.copyOf(values)));
        }
    }

    @Test
    void operationsAreKeptAsTheyAre() {
        var json = tools.jackson.databind.json.JsonMapper.shared();
        var operation = two(new Limits(7L, 3)).next(image, true).cancel(true);
        assertThat(json.readValue(json.writeValueAsString(operation), Operation.class)).isEqualTo(operation);
        assertThat(IntStream.range(0, 2).mapToObj(i -> operation.moves().get(i).bytes())).containsExactly(100L, 100L);
    }
}
