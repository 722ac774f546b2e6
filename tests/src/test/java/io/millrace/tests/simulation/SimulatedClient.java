package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.millrace.base.simulation.SimulatedProcess;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.wire.client.NodeAddress;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/// A machine with clients on it: they know of the cluster what the last broker told them that they asked.
final class SimulatedClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final World world;
    private final SimulatedProcess process;
    private final SimulatedNodeClient requests;
    private final SimulatedNodes nodes;
    private ClusterImage image = ClusterImage.EMPTY;
    private boolean asking;

    SimulatedClient(World world, String host, SimulatedNodes nodes) {
        this.world = world;
        this.nodes = nodes;
        process = new SimulatedProcess(host, world.loop());
        requests = new SimulatedNodeClient(world.network(), process, nodes::at);
        world.network().listen(process);
    }

    World world() {
        return world;
    }

    SimulatedProcess process() {
        return process;
    }

    /// Runs `task` after a random time of at most so many milliseconds.
    void later(int mostMillis, Runnable task) {
        process.schedule(Duration.ofMillis(1 + world.random().nextInt(mostMillis)), task);
    }

    /// What it was told last.
    ClusterImage image() {
        return image;
    }

    /// The partition as far as this client knows; null where it knows none.
    @Nullable
    PartitionImage find(PartitionKey key) {
        return image.topic(key.topicId()).flatMap(topic -> topic.partition(key.partition())).orElse(null);
    }

    /// Asks some broker for metadata.
    void refresh() {
        if (asking) {
            return;
        }
        asking = true;
        var broker = nodes.broker(world.random().nextInt(nodes.brokers().size()));
        process.schedule(TIMEOUT, () -> asking = false);
        world.network().call(process, broker.host(), () -> CompletableFuture.completedFuture(broker.image()))
                .thenAccept(
                        told -> {
                            asking = false;
                            if (told.version().reaches(image.version())) {
                                image = told;
                            }
                        });
    }

    /// Asks that broker.
    ///
    /// @param onAnswer not called where there is none
    <A extends ApiMessage> void ask(int broker, ApiMessage request, Consumer<A> onAnswer, Runnable onFailure) {
        ask(SimulatedBroker.host(broker), request, onAnswer, onFailure);
    }

    /// Asks the node at that host.
    ///
    /// @param onAnswer not called where there is none
    <A extends ApiMessage> void ask(String host, ApiMessage request, Consumer<A> onAnswer, Runnable onFailure) {
        requests.<A>send(new NodeAddress(host, 9092), request, TIMEOUT).whenComplete((answer,
                failure) -> process.execute(() -> {
                    // A task of its own: what it throws ends the simulation, where a future would keep it.
                    if (failure == null) {
                        onAnswer.accept(answer);
                    } else {
                        onFailure.run();
                    }
                }));
    }
}
