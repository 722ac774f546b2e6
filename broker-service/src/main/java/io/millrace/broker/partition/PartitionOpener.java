package io.millrace.broker.partition;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

import io.millrace.broker.directories.LogDirectories;
import io.millrace.broker.partition.PartitionApplier.Meters;
import io.millrace.broker.partition.PartitionApplier.Replicas;
import io.millrace.broker.partition.PartitionApplier.TopicRules;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// Opens the logs of partitions that the metadata place here, several at a time on the disk's threads, and shows the
/// partitions to those who look. On the applier's thread.
@Slf4j
final class PartitionOpener {
    private final PartitionRegistry registry;
    private final LogDirectories directories;
    private final Function<Map<String, String>, TopicRules> rules;
    private final Meters meters;
    private final Executor disks;
    private final RoleListener roles;
    private final LeaderContext leaders;

    private record Opened(TopicImage topic, PartitionImage told, TopicRules rules, @Nullable PartitionLog log) {}

    PartitionOpener(PartitionRegistry registry, LogDirectories directories,
            Function<Map<String, String>, TopicRules> rules, Meters meters, Executor disks, Replicas replicas) {
        this.registry = registry;
        this.directories = directories;
        this.rules = rules;
        this.meters = meters;
        this.disks = disks;
        this.roles = replicas.roles();
        this.leaders = replicas.context();
    }

    /// Opens what of those topics is to be here and is not.
    ///
    /// @param isFirst whether it is the first image of this life: what that names was here before
    void openMissing(ClusterImage image, Set<UUID> topics, boolean isFirst) {
        var opening = new ArrayList<CompletableFuture<Opened>>();
        for (var id : topics) {
            image.topic(id).ifPresent(topic -> {
                var local = registry.topic(id);
                var topicRules = rules.apply(image.topicConfig(topic.name()));
                for (var told : topic.partitions()) {
                    boolean known = local != null && local.partition(told.partition()) != null;
                    if (!known && told.isReplica(leaders.self())) {
                        opening.add(CompletableFuture.supplyAsync(() -> open(topic, told, topicRules, isFirst), disks));
                    }
                }
            });
        }
        for (var one : opening) {
            show(one.join(), image);
        }
    }

    private Opened open(TopicImage topic, PartitionImage told, TopicRules topicRules, boolean isFirst) {
        var id = new PartitionId(topic.name(), told.partition());
        try {
            boolean isNew = !isFirst || told.adding().contains(leaders.self());
            return new Opened(topic, told, topicRules, directories.openLog(id, topic.id(), topicRules.log(), isNew));
        } catch (IOException | RuntimeException failure) {
            log.error("partition offline, its log cannot be opened topic={} partition={}", topic.name(), told
                    .partition(), failure);
            return new Opened(topic, told, topicRules, null);
        }
    }

    private void show(Opened opened, ClusterImage image) {
        var topic = opened.topic();
        var known = registry.topic(topic.id());
        var local = known == null
                ? new LocalTopic(topic.name(), topic.id(), meters.topics().topic(topic.name()))
                : known;
        var id = new PartitionId(topic.name(), opened.told().partition());
        var partition = new Partition(id, topic.id(), local.meters(), opened.log(), leaders);
        ShardKind.ofTopic(topic.name()).flatMap(kind -> image.shards(kind).shard(id.partition()))
                .ifPresent(shard -> partition.asLeader().fenceShard(shard.epoch()));
        partition.apply(opened.told(), opened.rules().minInsyncReplicas());
        registry.put(local, partition);
        meters.replicas().assigned(partition, others(opened.told()));
        roles.changed(partition, ReplicaRole.untold(), partition.role());
        log.debug("partition here topic={} partition={} topicId={} role={}", topic.name(), id.partition(), topic.id(),
                partition.role());
    }

    /// Those of its replicas that are elsewhere.
    List<Integer> others(PartitionImage told) {
        return told.replicas().stream().filter(replica -> replica != leaders.self()).toList();
    }
}
