package io.millrace.admin;

import static java.util.Objects.requireNonNullElseGet;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

import io.millrace.admin.document.Documents;
import io.millrace.admin.document.ZnodeDocuments;
import io.millrace.admin.event.EventLog;
import io.millrace.admin.history.ConfigHistory;
import io.millrace.admin.operation.CopyProgress;
import io.millrace.admin.operation.OperationLoop;
import io.millrace.admin.operation.OperationRunner;
import io.millrace.admin.operation.OperationStore;
import io.millrace.admin.operation.Operations;
import io.millrace.admin.operation.ZnodeOperationStore;
import io.millrace.admin.transaction.HangingLoop;
import io.millrace.admin.transaction.HangingTransactions;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Ensemble;
import io.millrace.admin.upstream.Moves;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.Role;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.HttpAddress;
import io.millrace.service.lifecycle.LivenessCheck;
import io.millrace.service.lifecycle.ReadinessCheck;
import io.millrace.service.lifecycle.ServiceLifecycle;
import io.millrace.service.lifecycle.SoftwareVersion;
import io.millrace.service.membership.Membership;
import io.millrace.service.metrics.Telemetry;
import io.millrace.service.registration.NodeDescription;
import io.millrace.service.subscription.ImageListener;
import io.millrace.wire.client.NodeClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import reactor.netty.resources.LoopResources;

/// This service's ties to the cluster, and their order.
@Configuration(proxyBeanMethods = false)
class AdminConfiguration {
    private static final String NAME = "admin-api";
    private static final Duration ENSEMBLE_PATIENCE = Duration.ofSeconds(2);
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(5);

    @Bean
    Membership membership(ServerSettings settings, HttpAddress http, Telemetry telemetry, Environment environment)
            throws InterruptedException {
        int id = requireNonNullElseGet(environment.getProperty("millrace.node.id", Integer.class),
                () -> ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
        return Membership.connect(NAME, settings, () -> description(id, http), telemetry, Clock.systemUTC());
    }

    /// Nothing but its registration has to do with the number: where none is set, several may run without one each.
    private static NodeDescription description(int id, HttpAddress http) {
        var rest = new Endpoint("HTTP", "PLAINTEXT", http.host(), http.port());
        return new NodeDescription(Role.ADMIN, id, List.of(rest), null, http.url(), SoftwareVersion.current());
    }

    @Bean(destroyMethod = "dispose")
    LoopResources loops() {
        return LoopResources.create(NAME, 1, true);
    }

    @Bean
    NodeClient nodes(LoopResources loops) {
        return NodeClient.create(NAME, loops);
    }

    @Bean
    Cluster cluster(Membership membership, NodeClient nodes, AdminProperties properties) {
        var subscription = membership.subscription();
        return new Cluster(subscription::image, membership.controller(), nodes, properties.timeout(), new Freshness(
                subscription::connected, Ticker.SYSTEM)::ageMillis);
    }

    @Bean
    ConfigHistory configHistory(Documents documents) {
        return ConfigHistory.onItsOwnThread(documents, Clock.systemUTC());
    }

    @Bean
    ImageListener eventsListener(Membership membership, EventLog events, ConfigHistory history) {
        ImageListener listener = (before, after, changes) -> {
            events.changed(before, after, changes);
            history.changed(before, after, changes);
            return CompletableFuture.allOf(); // there is nothing to wait for
        };
        membership.subscription().onChange(listener);
        return listener;
    }

    @Bean
    Ensemble ensemble(ServerSettings settings) {
        return new Ensemble(settings.getString("zookeeper.connect"), ENSEMBLE_PATIENCE);
    }

    @Bean
    Documents documents(Membership membership) {
        return new ZnodeDocuments(membership.znodes(), STORE_TIMEOUT);
    }

    @Bean
    OperationStore operationStore(Documents documents) {
        return new ZnodeOperationStore(documents);
    }

    @Bean(destroyMethod = "close")
    OperationLoop operationLoop(OperationRunner runner, CopyProgress copies, OperationStore store) {
        return new OperationLoop(runner, copies, store);
    }

    @Bean
    Operations operations(OperationStore store, Moves moves, OperationLoop loop) {
        return new Operations(store, moves, Clock.systemUTC(), loop::wake);
    }

    @Bean(destroyMethod = "close")
    HangingLoop hangingLoop(HangingTransactions hanging, AdminProperties properties) {
        return new HangingLoop(hanging, properties.hangingPace());
    }

    @Bean
    ReadinessCheck membershipReadiness(Membership membership) {
        return membership.readiness();
    }

    @Bean
    LivenessCheck membershipLiveness(Membership membership) {
        return membership.liveness();
    }

    @Bean
    ServiceLifecycle lifecycle(Membership membership) {
        return new ServiceLifecycle(NAME, List.of(membership.registrationStep(), membership.metadataStep()),
                Ticker.SYSTEM);
    }
}
