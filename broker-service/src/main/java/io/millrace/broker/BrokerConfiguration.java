package io.millrace.broker;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Optional;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Ticker;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.HttpAddress;
import io.millrace.service.lifecycle.LivenessCheck;
import io.millrace.service.lifecycle.LivenessCheck.NamedLoop;
import io.millrace.service.lifecycle.ReadinessCheck;
import io.millrace.service.lifecycle.ServiceLifecycle;
import io.millrace.service.listener.ClientsController;
import io.millrace.service.listener.NodeListeners;
import io.millrace.service.membership.Membership;
import io.millrace.service.metrics.Telemetry;
import io.millrace.wire.connection.NetworkMetrics;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.netty.resources.LoopResources;

/// The broker's parts as Spring sees them.
@Configuration(proxyBeanMethods = false)
class BrokerConfiguration {
    private static final int STORAGE_LOST = 1;

    @Bean
    BrokerProperties brokerProperties(ServerSettings settings) {
        return BrokerProperties.of(settings);
    }

    @Bean
    NodeListeners listeners(ServerSettings settings, LoopResources kafkaLoops, MeterRegistry meters) {
        return new NodeListeners(settings, kafkaLoops, new NetworkMetrics(meters));
    }

    @Bean
    ClientsController clientsController(NodeListeners listeners) {
        return new ClientsController(listeners);
    }

    @Bean
    Membership membership(BrokerProperties properties, NodeListeners listeners, HttpAddress http,
            ServerSettings settings, Telemetry telemetry) throws InterruptedException {
        return Membership.connect(properties.name(), settings, () -> properties.description(listeners.advertised(http
                .host()), http.url()), telemetry, Clock.systemUTC());
    }

    @Bean(destroyMethod = "dispose")
    LoopResources kafkaLoops(BrokerProperties properties) {
        return LoopResources.create(properties.name(), properties.networkThreads(), true);
    }

    @Bean
    BrokerNode brokerNode(BrokerProperties properties, ServerSettings settings, Membership membership,
            NodeListeners listeners, LoopResources kafkaLoops, MeterRegistry meters,
            ConfigurableApplicationContext context) {
        var platform = BrokerEngine.Platform.real(meters, settings);
        return new BrokerNode(properties, settings, membership, new BrokerNode.Network(listeners, kafkaLoops), platform,
                () -> exit(context));
    }

    @Bean
    ReplicasController replicasController(BrokerNode node) {
        return new ReplicasController(node, Clock.systemUTC());
    }

    /// Without a disk a broker is of no use, and whoever watches the process should see that it failed. Who calls is a daemon,
    /// and a thread that were one as well would end with the web server's, before it has said how the process ends.
    private static void exit(ConfigurableApplicationContext context) {
        Thread.ofPlatform().name("exit").daemon(false).start(() -> System.exit(SpringApplication.exit(context,
                () -> STORAGE_LOST)));
    }

    @Bean
    ReadinessCheck membershipReadiness(Membership membership) {
        return membership.readiness();
    }

    @Bean
    ReadinessCheck replicasReadiness(BrokerProperties properties, Membership membership) {
        return new ReadinessCheck("replicas", new CaughtUp(properties.id(), membership.subscription()::image)::whyNot);
    }

    @Bean
    LivenessCheck membershipLiveness(Membership membership) {
        return membership.liveness();
    }

    /// The loops of the connections, on which requests are served.
    @Bean
    LivenessCheck networkLiveness(BrokerProperties properties, LoopResources kafkaLoops) {
        var loops = new ArrayList<NamedLoop>();
        for (var loop : kafkaLoops.onServer(true)) {
            loops.add(new NamedLoop(properties.name() + "-network-" + loops.size(), loop));
        }
        return new LivenessCheck(loops);
    }

    @Bean
    ReadinessCheck listenersReadiness(NodeListeners listeners) {
        return new ReadinessCheck("listeners", () -> listeners.bound() ? Optional.empty() : Optional.of("not bound"));
    }

    @Bean
    ServiceLifecycle lifecycle(BrokerProperties properties, BrokerNode node) {
        return new ServiceLifecycle(properties.name(), node.steps(), Ticker.SYSTEM);
    }
}
