package io.millrace.broker.partition;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.millrace.broker.directories.LogDirectories;
import io.millrace.log.LogConfig;
import io.millrace.log.PartitionId;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import io.millrace.metadata.image.ShardKey;
import io.millrace.metadata.image.TopicImage;
import io.millrace.service.subscription.ImageListener;
import lombok.extern.slf4j.Slf4j;

/// Makes of the metadata what is on this broker: has the logs of partitions placed here opened, gives them their roles, and
/// stops and deletes those that are here no longer. Images are applied one after the other on a thread of its own.
@Slf4j
public final class PartitionApplier implements ImageListener {
    private final int self;
    private final PartitionRegistry registry;
    private final LogDirectories directories;
    private final Function<Map<String, String>, TopicRules> rules;
    private final Meters meters;
    private final Executor applier;
    private final PartitionOpener opener;
    private final RoleListener roles;
    private final LongSupplier brokerEpoch;
    private final LogDeletions deletions;
    private final PartitionLines roleLines = new PartitionLines(log, "roles changed");
    private volatile boolean leftoversDeleted;

    /// What of a topic's settings a partition goes by.
    ///
    /// @param minInsyncReplicas `min.insync.replicas`
    public record TopicRules(LogConfig log, int minInsyncReplicas) {}

    /// Who counts.
    public record Meters(BrokerTopicMetrics topics, ReplicaMetrics replicas) {}

    /// Who works.
    ///
    /// @param applier runs one task at a time, in order
    /// @param disks opens logs, several at a time
    public record Executors(Executor applier, Executor disks) {}

    /// Who is told of roles.
    ///
    /// @param roles of what this broker has become
    /// @param context what its leaders share
    /// @param brokerEpoch of this broker's registration as it is now
    public record Replicas(RoleListener roles, LeaderContext context, LongSupplier brokerEpoch) {}

    /// @param rules from what was set for a topic to what holds for it
    public PartitionApplier(PartitionRegistry registry, LogDirectories directories,
            Function<Map<String, String>, TopicRules> rules, Meters meters, Executors executors, Replicas replicas) {
        this.roles = replicas.roles();
        this.brokerEpoch = replicas.brokerEpoch();
        this.self = replicas.context().self();
        this.registry = registry;
        this.directories = directories;
        this.rules = rules;
        this.meters = meters;
        this.applier = executors.applier();
        this.opener = new PartitionOpener(registry, directories, rules, meters, executors.disks(), replicas);
        this.deletions = new LogDeletions(directories, executors.disks());
    }

    @Override
    public CompletableFuture<Void> apply(ClusterImage before, ClusterImage after, Changes changes) {
        return CompletableFuture.runAsync(() -> applyNow(after, changes), applier);
    }

    /// Takes the partitions of a failed log directory out of use. Any thread.
    public void directoryFailed(Path directory) {
        applier.execute(() -> {
            registry.all().forEach(partition -> {
                var partitionLog = partition.log();
                if (partitionLog != null && directory.equals(partitionLog.directory().toAbsolutePath().getParent())) {
                    var before = partition.role();
                    partition.fail();
                    roles.changed(partition, before, partition.role());
                }
            });
            roles.applied();
        });
    }

    private void applyNow(ClusterImage image, Changes changes) {
        changes.removedTopics().forEach(id -> {
            var local = registry.topic(id);
            if (local != null) {
                local.partitions().forEach(partition -> remove(local, partition, "topic deleted"));
                local.meters().close();
            }
        });
        changes.topics().forEach(id -> image.topic(id).ifPresent(this::dropWhatIsNotHere));
        deletions.await();
        opener.openMissing(image, changes.topics(), !leftoversDeleted);
        applyRoles(image, changes.topics());
        roleLines.end();
        applyConfigs(image, changes.configs());
        if (!changes.nodes().isEmpty()) {
            // A follower that has come back to life may join its ISRs; nobody waits for one that has gone.
            registry.all().forEach(partition -> partition.isr().reconsider());
        }
        changes.shards().forEach(key -> fenceShard(image, key));
        if (!leftoversDeleted && showsThisLife(image)) {
            leftoversDeleted = true;
            deleteLeftovers(image);
            deletions.await();
        }
        roles.applied();
    }

    /// Whether the image is younger than this broker's registration, and so than all that it ever stored: an older one, such as
    /// that of a controller which has not heard yet that it was deposed, does not say that a topic is gone.
    private boolean showsThisLife(ClusterImage image) {
        return image.broker(self).filter(broker -> broker.epoch() == brokerEpoch.getAsLong()).isPresent();
    }

    /// The controller knows that the topic exists, and nothing else: what is here stays as it is.
    private static boolean isUnreadable(TopicImage topic) {
        return topic.partitions().isEmpty();
    }

    /// Partitions moved away, and those of a former topic of the same name.
    private void dropWhatIsNotHere(TopicImage topic) {
        var named = registry.topic(topic.name());
        if (named == null || isUnreadable(topic)) {
            return;
        }
        boolean former = !named.id().equals(topic.id());
        for (var partition : named.partitions()) {
            boolean here = topic.partition(partition.id().partition()).filter(told -> told.isReplica(self)).isPresent();
            if (former || !here) {
                remove(named, partition, former ? "topic made anew" : "moved away");
            }
        }
        if (named.isEmpty()) {
            named.meters().close();
        }
    }

    private void applyRoles(ClusterImage image, Set<UUID> topics) {
        for (var id : topics) {
            var local = registry.topic(id);
            var topic = image.topic(id);
            if (local == null || topic.isEmpty()) {
                continue;
            }
            var topicRules = rules.apply(image.topicConfig(local.name()));
            for (var partition : local.partitions()) {
                topic.get().partition(partition.id().partition()).ifPresent(told -> {
                    var before = partition.role();
                    meters.replicas().assigned(partition, opener.others(told));
                    if (partition.apply(told, topicRules.minInsyncReplicas())) {
                        roleLines.say("role changed topic={} partition={} from={} to={}", local.name(), told
                                .partition(),
                                before, partition.role());
                        roles.changed(partition, before, partition.role());
                    }
                });
            }
        }
    }

    private void applyConfigs(ClusterImage image, Set<ConfigResource> changed) {
        for (var local : concerned(changed)) {
            var topicRules = rules.apply(image.topicConfig(local.name()));
            boolean changes = false;
            for (var partition : local.partitions()) {
                var partitionLog = partition.log();
                if (partitionLog != null && !partitionLog.config().equals(topicRules.log())) {
                    partitionLog.updateConfig(topicRules.log());
                    changes = true;
                }
                image.partition(local.name(), partition.id().partition()).ifPresent(told -> partition.apply(told,
                        topicRules.minInsyncReplicas()));
            }
            if (changes) {
                log.info("settings changed topic={}", local.name());
            }
        }
    }

    /// What is set for brokers may be the default of any topic.
    private Collection<LocalTopic> concerned(Set<ConfigResource> changed) {
        if (changed.contains(ConfigResource.allBrokers()) || changed.contains(ConfigResource.broker(self))) {
            return registry.topics();
        }
        return changed.stream()
                .filter(resource -> resource.type() == ConfigType.TOPIC)
                .map(resource -> registry.topic(resource.name()))
                .filter(Objects::nonNull)
                .toList();
    }

    private void fenceShard(ClusterImage image, ShardKey key) {
        var local = registry.topic(key.kind().topic());
        var partition = local == null ? null : local.partition(key.shard());
        if (partition != null) {
            image.shards(key.kind()).shard(key.shard()).ifPresent(shard -> partition.asLeader().fenceShard(shard
                    .epoch()));
        }
    }

    private void remove(LocalTopic topic, Partition partition, String why) {
        registry.remove(topic, partition.id().partition());
        var before = partition.role();
        partition.retire();
        roles.changed(partition, before, partition.role());
        meters.replicas().removed(partition);
        deletions.begin(partition.id(), why);
    }

    /// Logs of topics that were deleted, or partitions that moved, while this broker was away.
    private void deleteLeftovers(ClusterImage image) {
        var here = new HashSet<PartitionId>();
        registry.all().forEach(partition -> here.add(partition.id()));
        for (var id : directories.ids()) {
            if (image.topic(id.topic()).filter(PartitionApplier::isUnreadable).isPresent()) {
                log.warn("left alone: a log of a topic that the controller cannot read partition={}", id);
            } else if (!here.contains(id)) {
                deletions.begin(id, "not in the metadata");
            }
        }
        for (var id : List.copyOf(directories.unidentified())) {
            log.warn("left alone: a log without a topic id that the metadata do not know partition={}", id);
        }
    }
}
