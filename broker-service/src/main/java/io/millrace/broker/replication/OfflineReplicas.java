package io.millrace.broker.replication;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

import io.millrace.base.loop.Loop;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.ReplicaRole;
import io.millrace.broker.partition.ReplicaRole.Offline;
import io.millrace.broker.partition.RoleListener;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.command.ReplicasOffline;
import io.millrace.metadata.command.ReplicasOffline.TopicPartitions;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.wire.error.Failures;
import lombok.extern.slf4j.Slf4j;

/// Tells the controller of replicas that this broker cannot use, since their log directory failed, so that others lead and
/// count in their place. What the image shows of this registration is what the controller knows: another registration is to
/// it another broker, whose disks are well, and another controller begins without that knowledge. So it is told until the
/// image shows it. All state belongs to the loop.
@Slf4j
final class OfflineReplicas implements RoleListener {
    private static final Duration ANSWER_WAIT = Duration.ofSeconds(5);
    private static final Duration RETRY = Duration.ofMillis(500);

    private final int self;
    private final LongSupplier brokerEpoch;
    private final ControllerClient controller;
    private final Loop loop;
    private final Set<Replica> offline = new HashSet<>();
    private Optional<NodeImage> shown = Optional.empty();
    private boolean busy;
    private boolean failing;

    /// @param brokerEpoch of this broker's registration as it is now
    OfflineReplicas(int self, LongSupplier brokerEpoch, ControllerClient controller, Loop loop) {
        this.self = self;
        this.brokerEpoch = brokerEpoch;
        this.controller = controller;
        this.loop = loop;
    }

    /// A partition of which this broker has a replica.
    record Replica(UUID topicId, int partition) {}

    /// An image comes: what it shows of this broker is what the controller knows.
    void imageComes(ClusterImage image) {
        var node = image.broker(self);
        onLoop(() -> shown = node);
    }

    @Override
    public void changed(Partition partition, ReplicaRole before, ReplicaRole now) {
        if (before instanceof Offline || now instanceof Offline) {
            changed(new Replica(partition.topicId(), partition.id().partition()), now instanceof Offline);
        }
    }

    void changed(Replica replica, boolean isOffline) {
        onLoop(() -> {
            if (isOffline) {
                offline.add(replica);
            } else {
                offline.remove(replica);
            }
        });
    }

    @Override
    public void applied() {
        onLoop(this::tell);
    }

    private void tell() {
        long epoch = brokerEpoch.getAsLong();
        if (busy || offline.stream().allMatch(replica -> isShown(replica, epoch))) {
            return;
        }
        busy = true;
        var telling = Set.copyOf(offline);
        controller.send(new ReplicasOffline(self, epoch, byTopic(telling)), ANSWER_WAIT).whenComplete((_,
                failure) -> onLoop(() -> {
                    if (failure == null) {
                        told(telling, epoch);
                    } else {
                        notTold(telling, failure);
                    }
                }));
    }

    private void told(Set<Replica> telling, long epoch) {
        log.info("controller knows of replicas offline broker={} count={} brokerEpoch={}", self, telling.size(), epoch);
        busy = false;
        failing = false;
        if (!telling.containsAll(offline)) {
            tell();
        }
    }

    private boolean isShown(Replica replica, long epoch) {
        return shown.filter(node -> node.epoch() == epoch && node.isFailed(replica.topicId(), replica.partition()))
                .isPresent();
    }

    private void notTold(Set<Replica> telling, Throwable failure) {
        if (!failing) {
            failing = true;
            log.warn("controller does not know of replicas offline yet broker={} count={} reason={}", self, telling
                    .size(), Failures.cause(failure).toString());
        }
        loop.schedule(RETRY, () -> {
            busy = false;
            tell();
        });
    }

    private static List<TopicPartitions> byTopic(Set<Replica> replicas) {
        var byTopic = new HashMap<UUID, List<Integer>>();
        replicas.forEach(replica -> byTopic.computeIfAbsent(replica.topicId(), _ -> new ArrayList<>()).add(replica
                .partition()));
        return byTopic.entrySet().stream().map(entry -> new TopicPartitions(entry.getKey(), entry.getValue())).toList();
    }

    private void onLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException stopping) {
            log.debug("not told, the broker stops broker={} reason={}", self, stopping.toString());
        }
    }
}
