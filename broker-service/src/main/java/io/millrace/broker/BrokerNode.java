package io.millrace.broker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

import io.millrace.broker.partition.ReplicaFacts;
import io.millrace.broker.replication.NodeChannels;
import io.millrace.broker.transaction.CoordinatorChannel;
import io.millrace.broker.transaction.NodeCoordinators;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigType;
import io.millrace.metadata.znode.ClusterIdNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.service.config.LiveSettings;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.StartRefused;
import io.millrace.service.lifecycle.Step;
import io.millrace.service.listener.NodeListeners;
import io.millrace.service.membership.Membership;
import io.millrace.service.protocol.SharedHandlers;
import io.millrace.wire.api.ApiRegistry;
import io.millrace.wire.client.NodeClient;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import reactor.netty.resources.LoopResources;

/// One broker as a member of the cluster, and the order in which its parts start and stop. It is shown to clients only
/// once its logs are open, and serves them only once it knows the metadata; on the way down it hands over what others can
/// take, finishes what is in hand, and closes its logs last.
@Slf4j
final class BrokerNode {
    private static final Duration CLUSTER_WAIT = Duration.ofMinutes(10);
    private static final Duration CLUSTER_POLL = Duration.ofMillis(500);
    /// Repairing large logs after a crash takes as long as it takes; progress is in the log.
    private static final Duration STORAGE_WAIT = Duration.ofHours(12);

    private final BrokerProperties properties;
    private final ServerSettings settings;
    private final Membership membership;
    private final Network network;
    private final BrokerEngine.Platform platform;
    private final Runnable onStorageLost;
    private volatile @Nullable String clusterId;
    private volatile @Nullable BrokerEngine engine;

    /// How it reaches others and is reached.
    ///
    /// @param loops of its own listeners, and of its connections to other brokers
    record Network(NodeListeners listeners, LoopResources loops) {}

    /// @param onStorageLost called once the last log directory failed; must not block
    BrokerNode(BrokerProperties properties, ServerSettings settings, Membership membership,
            Network network, BrokerEngine.Platform platform, Runnable onStorageLost) {
        this.properties = properties;
        this.settings = settings;
        this.membership = membership;
        this.network = network;
        this.platform = platform;
        this.onStorageLost = onStorageLost;
    }

    /// In the order of the start.
    List<Step> steps() {
        return List.of(new Step("cluster", this::findCluster, () -> {}, CLUSTER_WAIT), new Step("storage",
                this::openStorage, this::closeStorage, STORAGE_WAIT), membership.registrationStep(), membership
                        .metadataStep(), network.listeners().step(this::apis), new Step("hand-over", () -> {},
                                this::handOver));
    }

    /// Where the replicas of a partition are.
    ///
    /// @throws Refused where this broker does not lead it
    ReplicaFacts replicas(String topic, int partition) {
        var opened = engine;
        if (opened == null) {
            throw new Refused(Errors.BROKER_NOT_AVAILABLE, "the broker is not open");
        }
        return opened.replicas(topic, partition);
    }

    /// The first controller of a cluster gives it its id.
    private void findCluster() throws InterruptedException, ExecutionException {
        boolean said = false;
        while (clusterId == null) {
            var found = membership.znodes().read(Paths.CLUSTER_ID).get();
            if (found.isPresent()) {
                clusterId = ClusterIdNode.parse(found.get().data()).id();
            } else {
                if (!said) {
                    said = true;
                    log.info("waiting node={} for=cluster-id path={}", properties.name(), Paths.CLUSTER_ID);
                }
                Thread.sleep(CLUSTER_POLL);
            }
        }
    }

    private void openStorage() throws Exception {
        var cluster = clusterId;
        if (cluster == null) {
            throw new StartRefused("the cluster's id is not known");
        }
        var subscription = membership.subscription();
        var shared = SharedHandlers.of(subscription, membership.controller(), settings, properties.id(), membership
                .registration()::epoch);
        var opened = BrokerEngine.open(new BrokerEngine.Node(properties.id(), cluster, settings),
                new BrokerEngine.Cluster(subscription::image, shared, membership.controller(), membership
                        .registration()::epoch, new NodeChannels(properties.name(), network.loops(),
                                subscription::image, settings.interBrokerListener()), coordinators(
                                        subscription::image)), platform,
                onStorageLost);
        engine = opened;
        subscription.onChange(opened.partitions());
        subscription.onChange((_, after, changes) -> {
            if (changes.configs().stream().anyMatch(resource -> resource.type() == ConfigType.BROKER)) {
                network.listeners().limit(LiveSettings.of(properties.id(), after, settings));
            }
            return CompletableFuture.allOf(); // there is nothing to wait for
        });
    }

    private CoordinatorChannel coordinators(Supplier<ClusterImage> images) {
        return new NodeCoordinators(NodeClient.create(properties.name() + "-transactions", network.loops()),
                id -> NodeCoordinators.find(id, images.get(), settings.interBrokerListener()),
                shard -> NodeCoordinators.ownerOf(shard, images.get(), settings.interBrokerListener()));
    }

    private void closeStorage() {
        var opened = engine;
        if (opened != null) {
            opened.close();
        }
    }

    private ApiRegistry apis() {
        var opened = engine;
        if (opened == null) {
            throw new StartRefused("the storage is not open");
        }
        return opened.apis();
    }

    private void handOver() throws InterruptedException {
        new HandOver(properties.id(), HandOver.Rules.of(settings), membership.controller(), membership
                .registration()::epoch, platform.ticker()).run();
    }
}
