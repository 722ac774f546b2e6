package io.millrace.coordinator;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Ticker;
import io.millrace.coordinator.api.TransactionCalls;
import io.millrace.coordinator.handover.PreparedReports;
import io.millrace.coordinator.marker.MarkerCalls;
import io.millrace.coordinator.marker.MarkerMetrics;
import io.millrace.coordinator.marker.MarkerSender;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.coordinator.shard.ShardMetrics;
import io.millrace.coordinator.shard.ShardRuntime;
import io.millrace.coordinator.shard.TransactionMetrics;
import io.millrace.coordinator.shard.TransactionSettings;
import io.millrace.coordinator.shard.TransactionShard;
import io.millrace.coordinator.storage.Batches;
import io.millrace.coordinator.storage.LeaderCalls;
import io.millrace.coordinator.storage.PartitionStorage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.membership.Membership;
import io.millrace.service.protocol.ProducerIds;
import io.millrace.wire.client.NodeClient;
import org.apache.kafka.common.compress.Compression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The parts of a coordinator that serve transactions.
@Configuration(proxyBeanMethods = false)
class TransactionConfiguration {
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);

    @Bean
    Transactions transactions(CoordinatorSettings coordinator, ServerSettings settings, Membership membership,
            NodeClient client, ShardLoops loops, ShardMetrics shardMetrics,
            PreparedReports prepared, MeterRegistry meters) {
        var clock = Clock.systemUTC();
        var images = membership.subscription();
        var listener = settings.interBrokerListener();
        var leaders = new LeaderCalls(ShardKind.TRANSACTION.topic(), loops.clientOfShard(), images::image, listener,
                loops.storage(),
                Ticker.SYSTEM, new SecureRandom());
        var storage = new PartitionStorage(leaders, new PartitionStorage.Limits(coordinator.storage().appendTimeout(),
                READ_TIMEOUT, settings.getInt("transaction.state.log.load.buffer.size")),
                new Batches(Compression.NONE, clock));
        var runtime = new ShardRuntime(storage, shardMetrics, clock, Ticker.SYSTEM, new SecureRandom(),
                CoordinatorConfiguration.LOAD_RETRY, coordinator.appends());
        var ids = new ProducerIds(membership.controller(), coordinator.id(), membership.registration()::epoch);
        var markers = new MarkerSender(new MarkerCalls(client, coordinator.id(), membership.registration()::epoch),
                images::image, listener, loops.markers(), Ticker.SYSTEM, new SecureRandom(), new MarkerMetrics(meters));
        var outside = new TransactionShard.Outside(markers, ids::next, new TransactionMetrics(meters, clock));
        var shards = new OwnedShards<>(coordinator.id(), loops.shards(),
                TransactionShard.type(settings(settings), outside), runtime, images::image, prepared);
        images.onChange((before, after, changes) -> {
            shards.apply(before, after, changes);
            return CompletableFuture.allOf(); // loading goes on by itself
        });
        return new Transactions(shards, new TransactionCalls(client, images::image, listener), ids);
    }

    private static TransactionSettings settings(ServerSettings settings) {
        return new TransactionSettings(settings.getInt("transaction.max.timeout.ms"),
                Duration.ofMillis(settings.getInt("transactional.id.expiration.ms")),
                Duration.ofMillis(settings.getInt("transaction.abort.timed.out.transaction.cleanup.interval.ms")),
                Duration.ofMillis(settings.getInt("transaction.remove.expired.transaction.cleanup.interval.ms")),
                PATIENCE);
    }
}
