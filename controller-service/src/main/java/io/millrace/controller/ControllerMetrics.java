package io.millrace.controller;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.controller.core.CoreObserver;
import io.millrace.controller.partition.Leadership;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.service.metrics.KafkaMeters;

/// All meters of the controller. Gauges of the cluster are those of the active controller; a standby shows zeros, as
/// Kafka's do, so that dashboards may sum them.
final class ControllerMetrics implements CoreObserver {
    private static final String GROUP = "kafka.controller";
    private static final String CONTROLLER = "KafkaController";
    private static final String EVENTS = "ControllerEventManager";

    private final DistributionSummary queueTime;
    private final DistributionSummary processingTime;
    private final Counter uncleanElections;
    private final DistributionSummary elections;
    private final Counter errors;
    private final DistributionSummary takeOver;
    private volatile ClusterImage image = ClusterImage.EMPTY;
    private volatile int queued;

    ControllerMetrics(KafkaMeters kafka, MeterRegistry registry, Supplier<Duration> lag) {
        queueTime = kafka.summary(GROUP, EVENTS, "EventQueueTimeMs");
        processingTime = kafka.summary(GROUP, EVENTS, "EventQueueProcessingTimeMs");
        kafka.gauge(GROUP, EVENTS, "EventQueueSize", () -> queued);
        elections = kafka.summary(GROUP, "ControllerStats", "LeaderElectionRateAndTimeMs");
        uncleanElections = kafka.counter(GROUP, "ControllerStats", "UncleanLeaderElections");
        errors = Counter.builder("millrace.controller.failures").description(
                "Work of the controller that failed and was logged").register(registry);
        takeOver = DistributionSummary.builder("millrace.controller.takeover.ms").description(
                "From the won election to the first image").register(registry);
        kafka.gauge(GROUP, CONTROLLER, "ActiveControllerCount", () -> image.version().controllerEpoch() == 0 ? 0 : 1);
        kafka.gauge(GROUP, CONTROLLER, "OfflinePartitionsCount", () -> partitions(partition -> !partition.hasLeader()));
        kafka.gauge(GROUP, CONTROLLER, "PreferredReplicaImbalanceCount", () -> partitions(
                ControllerMetrics::isImbalanced));
        kafka.gauge(GROUP, CONTROLLER, "GlobalTopicCount", () -> image.topics().size());
        kafka.gauge(GROUP, CONTROLLER, "GlobalPartitionCount", () -> partitions(_ -> true));
        kafka.gauge(GROUP, CONTROLLER, "ActiveBrokerCount", () -> brokers(NodeState.ACTIVE));
        kafka.gauge(GROUP, CONTROLLER, "FencedBrokerCount", () -> brokers(NodeState.FENCED));
        // A deletion is done as soon as it is decided: none ever waits.
        kafka.gauge(GROUP, CONTROLLER, "TopicsToDeleteCount", () -> 0);
        kafka.gauge(GROUP, CONTROLLER, "MetadataErrorCount", errors::count);
        Gauge.builder("millrace.reassignment.partitions", () -> partitions(PartitionImage::isMoving)).description(
                "Partitions on their way to other brokers").register(registry);
        Gauge.builder("millrace.metadata.applied.offset", () -> image.version().sequence()).description(
                "Sequence of the version published last").register(registry);
        Gauge.builder("millrace.metadata.lag.ms", () -> lag.get().toMillis()).description(
                "Age of the oldest version that some active node has not applied").register(registry);
    }

    @Override
    public void processed(Duration waited, Duration processed, int left) {
        queueTime.record((double) waited.toMillis());
        processingTime.record((double) processed.toMillis());
        queued = left;
    }

    @Override
    public void image(ClusterImage next) {
        image = next;
    }

    @Override
    public void tookOver(Duration took) {
        takeOver.record((double) took.toMillis());
    }

    @Override
    public void elected(int unclean, Duration took) {
        elections.record((double) took.toMillis());
        uncleanElections.increment(unclean);
    }

    @Override
    public void failed() {
        errors.increment();
    }

    private long partitions(Predicate<PartitionImage> which) {
        return image.topics().all().stream().flatMap(topic -> topic.partitions().stream()).filter(which).count();
    }

    private long brokers(NodeState state) {
        return image.nodes().of(Role.BROKER).stream().filter(broker -> broker.state() == state).count();
    }

    private static boolean isImbalanced(PartitionImage partition) {
        return !Leadership.isWaiting(partition) && partition.leader() != partition.replicas().getFirst();
    }
}
