package io.millrace.admin.upstream;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/// The cluster behind this service. Thread-safe.
public final class Cluster {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final Supplier<ClusterImage> current;
    private final ControllerClient controller;
    private final NodeClient nodes;
    private final Duration timeout;
    private final LongSupplier ageMillis;

    /// @param current what this service knows of the cluster, asked anew for each call
    /// @param timeout the longest that one call of a client waits for the rest of the cluster
    /// @param ageMillis how long ago the image was known to be the newest; 0 where it is
    public Cluster(Supplier<ClusterImage> current, ControllerClient controller, NodeClient nodes, Duration timeout,
            LongSupplier ageMillis) {
        this.ageMillis = ageMillis;
        this.current = current;
        this.controller = controller;
        this.nodes = nodes;
        this.timeout = timeout;
    }

    /// What this service knows of the cluster now.
    public ClusterImage image() {
        return current.get();
    }

    /// How long ago, in milliseconds, [#image] was known to be the newest; 0 where it is.
    public long ageMillis() {
        return ageMillis.getAsLong();
    }

    /// Waits until [#image] has that version of its controller's, or a later one.
    ///
    /// @throws TimeoutException after `atMost`
    public void awaitOffset(long offset, Duration atMost) throws TimeoutException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (image().version().sequence() < offset) {
            if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
                throw new TimeoutException("metadata offset " + image().version().sequence() + " of " + offset);
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    /// The image, where `clusterId` is this cluster.
    ///
    /// @throws Problem for any other id
    public ClusterImage image(String clusterId) {
        var image = image();
        if (!image.clusterId().equals(clusterId)) {
            throw Problem.notFound("Cluster " + clusterId + " cannot be found.");
        }
        return image;
    }

    /// @throws Problem where the cluster or the topic is unknown
    public TopicImage topic(String clusterId, String name) {
        return image(clusterId).topic(name)
                .orElseThrow(() -> Problem.unknownTopicOrPartition("Topic " + name + " cannot be found."));
    }

    /// @throws Problem where the cluster, the topic or its partition is unknown
    public PartitionImage partition(String clusterId, String topic, int partition) {
        return topic(clusterId, topic).partition(partition)
                .orElseThrow(() -> Problem.unknownTopicOrPartition("Partition %s-%d cannot be found.".formatted(topic,
                        partition)));
    }

    /// @throws Problem where the cluster or the broker is unknown
    public NodeImage broker(String clusterId, int id) {
        return image(clusterId).broker(id)
                .orElseThrow(() -> Problem.notFound("Broker " + id + " cannot be found."));
    }

    /// The broker that leads a partition; empty where the partition is unknown or nobody leads it.
    public Optional<NodeImage> leader(TopicPartition partition) {
        var image = image();
        return image.partition(partition.topic(), partition.partition()).flatMap(found -> image.broker(found.leader()));
    }

    /// How long a command may take; part of each command that changes topics.
    public Duration timeout() {
        return timeout;
    }

    /// Has the active controller carry out `command`; answers once every live node knows the outcome.
    public <R> R command(Command<R> command) {
        return join(controller.send(command, timeout));
    }

    /// Asks one node by the Kafka protocol.
    public <A extends ApiMessage> CompletableFuture<A> ask(NodeImage node, ApiMessage request) {
        var endpoint = node.endpoints().getFirst();
        return nodes.send(new NodeAddress(endpoint.host(), endpoint.port()), request, timeout);
    }

    /// Some broker that serves now.
    ///
    /// @throws Problem where there is none
    public NodeImage anyBroker() {
        return image().liveBrokers().stream().findFirst()
                .orElseThrow(() -> KafkaProblems.problem(Errors.BROKER_NOT_AVAILABLE, "no broker is available"));
    }

    /// Waits for an answer; each failure keeps its own kind, for [io.millrace.admin.problem.ProblemHandler].
    public static <T> T join(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException known ? known : failure;
        }
    }
}
