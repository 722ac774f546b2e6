package io.millrace.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.broker.replication.OfflineReplicas.Replica;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.command.ReplicasOffline;
import io.millrace.metadata.command.ReplicasOffline.TopicPartitions;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class OfflineReplicasTest {
    private static final UUID TOPIC = new UUID(1, 2);
    private static final ReplicasOffline SAID = new ReplicasOffline(3, 7, List.of(new TopicPartitions(TOPIC, List.of(
            5))));

    private final SimulatedLoop loop = new SimulatedLoop();
    private final List<Command<?>> asked = new ArrayList<>();
    private CompletableFuture<?> answer = CompletableFuture.completedFuture(new ReplicasOffline.Result());
    private final OfflineReplicas offline = new OfflineReplicas(3, () -> 7, new ControllerClient() {
        @Override
        public <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
            asked.add(command);
            return answer.thenApply(command.resultType()::cast);
        }

        @Override
        public void close() {}
    }, loop);

    private void image(long epoch, Map<UUID, Set<Integer>> failed) {
        var node = new NodeImage(Role.BROKER, 3, epoch, List.of(), null, null, "", NodeState.ACTIVE).withFailed(failed);
        offline.imageComes(ClusterImage.EMPTY.with(ClusterImage.EMPTY.nodes().with(node)));
        offline.applied();
        loop.advance(Duration.ofMillis(1));
    }

    @Test
    void lostReplicaIsToldAndNotAgainOnceTheImageShowsIt() {
        offline.changed(new Replica(TOPIC, 5), true);

        image(7, Map.of());
        image(7, Map.of(TOPIC, Set.of(5, 6)));
        image(7, Map.of(TOPIC, Set.of(5, 6)));

        assertThat(asked).containsExactly(SAID);
    }

    @Test
    void controllerThatDoesNotKnowItAnyMoreIsToldAgain() {
        offline.changed(new Replica(TOPIC, 5), true);
        image(7, Map.of());
        image(7, Map.of(TOPIC, Set.of(5)));

        image(7, Map.of());

        assertThat(asked).containsExactly(SAID, SAID);
    }

    @Test
    void whatAnImageShowsOfAnEarlierRegistrationDoesNotCount() {
        offline.changed(new Replica(TOPIC, 5), true);

        image(6, Map.of(TOPIC, Set.of(5)));

        assertThat(asked).containsExactly(SAID);
    }

    @Test
    void itIsToldUntilItIsAnswered() {
        answer = CompletableFuture.failedFuture(new CommandRefused(Errors.STALE_BROKER_EPOCH.code(), "not yet"));
        offline.changed(new Replica(TOPIC, 5), true);
        image(7, Map.of());
        assertThat(asked).hasSize(1);
        answer = CompletableFuture.completedFuture(new ReplicasOffline.Result());

        loop.advance(Duration.ofSeconds(5));

        assertThat(asked).containsExactly(SAID, SAID);
    }

    @Test
    void replicaThatIsWellAgainOrGoneIsNotTold() {
        offline.changed(new Replica(TOPIC, 5), true);
        offline.changed(new Replica(TOPIC, 5), false);

        image(7, Map.of());

        assertThat(asked).isEmpty();
    }
}
