package io.millrace.coordinator;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Backoff;
import io.millrace.base.loop.Ticker;
import io.millrace.coordinator.group.consumer.ConsumerTerms;
import io.millrace.coordinator.handover.HandOver;
import io.millrace.coordinator.handover.PreparedReports;
import io.millrace.coordinator.lag.LagRounds;
import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.GroupWorld;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.coordinator.shard.ShardMetrics;
import io.millrace.coordinator.shard.ShardRuntime;
import io.millrace.coordinator.shard.TopicWatch;
import io.millrace.coordinator.storage.Batches;
import io.millrace.coordinator.storage.LeaderCalls;
import io.millrace.coordinator.storage.PartitionStorage;
import io.millrace.coordinator.storage.ShardStorage;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardKind;
import io.millrace.service.config.GroupSettings;
import io.millrace.service.config.LiveSettings;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.HttpAddress;
import io.millrace.service.lifecycle.LivenessCheck;
import io.millrace.service.lifecycle.ReadinessCheck;
import io.millrace.service.lifecycle.ServiceLifecycle;
import io.millrace.service.lifecycle.SoftwareVersion;
import io.millrace.service.lifecycle.Step;
import io.millrace.service.listener.ClientsController;
import io.millrace.service.listener.NodeListeners;
import io.millrace.service.membership.Membership;
import io.millrace.service.metrics.Telemetry;
import io.millrace.service.registration.NodeDescription;
import io.millrace.service.subscription.ImageListener;
import io.millrace.wire.client.NodeClient;
import io.millrace.wire.connection.NetworkMetrics;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import reactor.netty.resources.LoopResources;

/// The parts of a coordinator and their order. On the way down it hands its shards over and leaves the cluster first, so
/// that they have new owners while it tells its clients to look for them.
@Configuration(proxyBeanMethods = false)
class CoordinatorConfiguration {
    static final Backoff LOAD_RETRY = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
    private static final Duration LAG_INTERVAL = Duration.ofSeconds(15);
    private static final int LAG_SERIES = 10_000;
    private static final int RELEASE_SECONDS = 10;

    private final Clock clock = Clock.systemUTC();

    @Bean
    CoordinatorSettings coordinatorSettings(ServerSettings settings) {
        return CoordinatorSettings.of(settings);
    }

    @Bean(destroyMethod = "dispose")
    LoopResources eventLoops(CoordinatorSettings coordinator) {
        return LoopResources.create(coordinator.name(), LoopResources.DEFAULT_IO_WORKER_COUNT, true);
    }

    @Bean
    ShardLoops shardLoops(CoordinatorSettings coordinator) {
        return ShardLoops.of(coordinator);
    }

    @Bean
    NodeClient brokers(CoordinatorSettings coordinator, LoopResources loops) {
        return NodeClient.create(coordinator.name(), loops);
    }

    @Bean
    NodeListeners listeners(ServerSettings settings, LoopResources loops, MeterRegistry meters) {
        return new NodeListeners(settings, loops, new NetworkMetrics(meters));
    }

    @Bean
    ClientsController clientsController(NodeListeners listeners) {
        return new ClientsController(listeners);
    }

    @Bean
    Membership membership(CoordinatorSettings coordinator, ServerSettings settings, NodeListeners listeners,
            HttpAddress http, Telemetry telemetry) throws InterruptedException {
        return Membership.connect(coordinator.name(), settings,
                () -> new NodeDescription(Role.COORDINATOR, coordinator.id(), listeners.advertised(http.host()),
                        settings.findString("broker.rack").orElse(null), http.url(), SoftwareVersion.current()),
                telemetry, clock);
    }

    @Bean
    ShardStorage storage(CoordinatorSettings coordinator, ServerSettings settings, Membership membership,
            ShardLoops loops) {
        var leaders = new LeaderCalls(ShardKind.GROUP.topic(), loops.clientOfShard(), membership.subscription()::image,
                settings
                        .interBrokerListener(),
                loops.storage(), Ticker.SYSTEM, new SecureRandom());
        return new PartitionStorage(leaders, coordinator.storage(), new Batches(coordinator.compression(), clock));
    }

    @Bean
    ShardMetrics shardMetrics(MeterRegistry meters) {
        return new ShardMetrics(meters, Ticker.SYSTEM);
    }

    @Bean
    GroupWorld groupWorld(ServerSettings settings, Membership membership) {
        var topics = new TopicWatch();
        var subscription = membership.subscription();
        subscription.onChange((before, after, changes) -> {
            topics.apply(before, after, changes);
            return CompletableFuture.allOf();
        });
        return new GroupWorld(topics::directory, group -> {
            var set = subscription.image().configs().of(new ConfigResource(ConfigType.GROUP, group));
            var resolved = GroupSettings.resolve(set, settings);
            return new ConsumerTerms(resolved.sessionTimeoutMillis(), resolved.heartbeatIntervalMillis());
        });
    }

    @Bean
    PreparedReports preparedReports(CoordinatorSettings coordinator, Membership membership, ShardLoops loops) {
        return new PreparedReports(membership.controller(), coordinator.id(), membership.registration()::epoch,
                loops.storage());
    }

    @Bean
    OwnedShards<GroupShard> shards(CoordinatorSettings coordinator, Membership membership, ShardStorage storage,
            ShardLoops loops, GroupWorld world, ShardMetrics metrics, PreparedReports prepared) {
        var runtime = new ShardRuntime(storage, metrics, clock, Ticker.SYSTEM, new SecureRandom(), LOAD_RETRY,
                coordinator.appends());
        var shards = new OwnedShards<>(coordinator.id(), loops.shards(),
                GroupShard.type(coordinator.shards(), world), runtime,
                membership.subscription()::image, prepared);
        membership.subscription().onChange((before, after, changes) -> {
            shards.apply(before, after, changes);
            return CompletableFuture.allOf(); // loading goes on by itself
        });
        return shards;
    }

    @Bean
    ImageListener connectionLimits(CoordinatorSettings coordinator, ServerSettings settings, Membership membership,
            NodeListeners listeners) {
        ImageListener limits = (_, after, changes) -> {
            if (changes.configs().stream().anyMatch(resource -> resource.type() == ConfigType.BROKER)) {
                listeners.limit(LiveSettings.of(coordinator.id(), after, settings));
            }
            return CompletableFuture.allOf(); // there is nothing to wait for
        };
        membership.subscription().onChange(limits);
        return limits;
    }

    @Bean
    LagRounds lagRounds(Environment environment, ServerSettings settings, OwnedShards<GroupShard> shards,
            NodeClient brokers, Membership membership, ShardLoops loops, MeterRegistry meters) {
        var rules = new LagRounds.Rules(environment.getProperty("millrace.metrics.lag.interval", Duration.class,
                LAG_INTERVAL), environment.getProperty("millrace.metrics.lag.series", Integer.class, LAG_SERIES));
        return new LagRounds(shards, new LagRounds.Brokers(brokers, membership.subscription()::image, settings
                .interBrokerListener()), rules, meters, loops.storage(), clock);
    }

    @Bean
    ReadinessCheck membershipReadiness(Membership membership) {
        return membership.readiness();
    }

    @Bean
    ReadinessCheck listenersReadiness(NodeListeners listeners) {
        return new ReadinessCheck("listeners",
                () -> listeners.bound() ? Optional.empty() : Optional.of("not bound"));
    }

    @Bean
    LivenessCheck membershipLiveness(Membership membership) {
        return membership.liveness();
    }

    @Bean
    LivenessCheck shardsLiveness(ShardLoops loops) {
        return loops.liveness();
    }

    @Bean
    ReadinessCheck shardsReadiness(OwnedShards<GroupShard> shards, Transactions transactions) {
        return new ReadinessCheck("shards", () -> shards.loaded() && transactions.shards().loaded()
                ? Optional.empty()
                : Optional.of("loading"));
    }

    @Bean
    ServiceLifecycle lifecycle(CoordinatorSettings coordinator, ServerSettings settings, NodeListeners listeners,
            OwnedShards<GroupShard> shards, Transactions transactions, LagRounds lags, Membership membership) {
        var shardStep = new Step("shards", () -> {},
                () -> CompletableFuture.allOf(shards.release(), transactions.shards().release())
                        .get(RELEASE_SECONDS, TimeUnit.SECONDS));
        return new ServiceLifecycle(coordinator.name(),
                List.of(listeners.step(() -> CoordinatorApis.of(shards, transactions, membership, settings, coordinator
                        .id())),
                        shardStep, membership.registrationStep(), membership.metadataStep(), new Step("lag",
                                lags::start, lags::close), new Step("handover", () -> {}, handOver(coordinator,
                                        settings,
                                        membership)::run)),
                Ticker.SYSTEM);
    }

    private static HandOver handOver(CoordinatorSettings coordinator, ServerSettings settings, Membership membership) {
        var subscription = membership.subscription();
        var metadata = new HandOver.Metadata() {
            @Override
            public ClusterImage image() {
                return subscription.image();
            }

            @Override
            public CompletableFuture<Void> await(Predicate<ClusterImage> condition, Duration atMost) {
                return subscription.await(condition, atMost);
            }
        };
        return new HandOver(coordinator.id(), settings.getBoolean("controlled.shutdown.enable"), membership
                .controller(),
                membership.registration()::epoch, metadata, Ticker.SYSTEM);
    }
}
