package io.millrace.coordinator;

import java.time.Duration;
import java.util.Locale;

import io.millrace.coordinator.group.GroupLimits;
import io.millrace.coordinator.group.consumer.Assignor;
import io.millrace.coordinator.group.consumer.ConsumerRules;
import io.millrace.coordinator.group.consumer.ConsumerRules.Migration;
import io.millrace.coordinator.shard.AppendLimits;
import io.millrace.coordinator.shard.ShardSettings;
import io.millrace.coordinator.storage.PartitionStorage;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.StartRefused;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;

/// A coordinator's part of the settings of a node.
///
/// @param id of this node, from `broker.id`: brokers and coordinators share one space of ids
/// @param threads loops that shards run on: `group.coordinator.threads`
/// @param compression of batches: `offsets.topic.compression.codec`
record CoordinatorSettings(int id, int threads, ShardSettings shards, AppendLimits appends,
        PartitionStorage.Limits storage, Compression compression) {
    private static final int LOWEST_ID = 1000;
    private static final long MAX_WAITING_BYTES = 64L << 20;
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);
    /// Room for what surrounds keys and values in a batch; a record that needs more goes alone.
    private static final int BATCH_PART = 2;

    /// @throws StartRefused where there is no id, or one that belongs to brokers
    static CoordinatorSettings of(ServerSettings settings) {
        int id = settings.nodeId();
        if (id < LOWEST_ID) {
            throw new StartRefused("kafka.broker.id: a coordinator has an id from " + LOWEST_ID + " up, not " + id);
        }
        var limits = new GroupLimits(settings.getInt("group.min.session.timeout.ms"),
                settings.getInt("group.max.session.timeout.ms"), settings.getInt("group.max.size"),
                settings.getInt("group.initial.rebalance.delay.ms"));
        var shards = new ShardSettings(limits, rules(settings), settings.getInt("offset.metadata.max.bytes"),
                Duration.ofMinutes(settings.getInt("offsets.retention.minutes")),
                Duration.ofMillis(settings.getLong("offsets.retention.check.interval.ms")));
        var appends = new AppendLimits(Math.max(1, settings.getInt("message.max.bytes") / BATCH_PART),
                MAX_WAITING_BYTES);
        var storage = new PartitionStorage.Limits(Duration.ofMillis(settings.getInt("offsets.commit.timeout.ms")),
                READ_TIMEOUT, settings.getInt("offsets.load.buffer.size"));
        var codec = CompressionType.forId(settings.getInt("offsets.topic.compression.codec"));
        return new CoordinatorSettings(id, settings.getInt("group.coordinator.threads"), shards, appends, storage,
                Compression.of(codec).build());
    }

    private static ConsumerRules rules(ServerSettings settings) {
        var assignors = settings.getList("group.consumer.assignors").stream().map(name -> Assignor.named(name)
                .orElseThrow(() -> new StartRefused("group.consumer.assignors: there is no assignor " + name)))
                .toList();
        var policy = settings.getString("group.consumer.migration.policy").toUpperCase(Locale.ROOT);
        return new ConsumerRules(assignors, settings.getInt("group.consumer.max.size"), Migration.valueOf(policy));
    }

    /// For logs and threads.
    String name() {
        return "coordinator-" + id;
    }
}
