package io.millrace.broker.replication;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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
import io.millrace.wire.error.Failures;
import lombok.extern.slf4j.Slf4j;

/// Tells the controller of replicas that this broker cannot use, since their log directory failed, so that others lead and
/// count in their place; and tells it again in each new registration, since to the controller that is another broker, whose
/// disks are well. It is told until it has answered. All state belongs to the loop.
@Slf4j
final class OfflineReplicas implements RoleListener {
    private static final Duration ANSWER_WAIT = Duration.ofSeconds(5);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final long NO_EPOCH = -1;

    private final int self;
    private final LongSupplier brokerEpoch;
    private final ControllerClient controller;
    private final Loop loop;
    private final Set<Partition> offline = new HashSet<>();
    private Set<Partition> told = Set.of();
    private long toldEpoch = NO_EPOCH;
    private boolean busy;
    private boolean failing;

    /// @param brokerEpoch of this broker's registration as it is now
    OfflineReplicas(int self, LongSupplier brokerEpoch, ControllerClient controller, Loop loop) {
        this.self = self;
        this.brokerEpoch = brokerEpoch;
        this.controller = controller;
        this.loop = loop;
    }

    @Override
    public void changed(Partition partition, ReplicaRole before, ReplicaRole now) {
        if (before instanceof Offline || now instanceof Offline) {
            onLoop(() -> {
                if (now instanceof Offline) {
                    offline.add(partition);
                } else {
                    offline.remove(partition);
                }
            });
        }
    }

    @Override
    public void applied() {
        onLoop(this::tell);
    }

    private void tell() {
        long epoch = brokerEpoch.getAsLong();
        boolean known = toldEpoch == epoch && told.containsAll(offline);
        if (busy || known || offline.isEmpty()) {
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

    private void told(Set<Partition> telling, long epoch) {
        log.info("controller knows of replicas offline broker={} count={} brokerEpoch={}", self, telling.size(), epoch);
        busy = false;
        failing = false;
        told = telling;
        toldEpoch = epoch;
        tell();
    }

    private void notTold(Set<Partition> telling, Throwable failure) {
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

    private static List<TopicPartitions> byTopic(Set<Partition> partitions) {
        var byTopic = new HashMap<UUID, List<Integer>>();
        partitions.forEach(partition -> byTopic.computeIfAbsent(partition.topicId(), _ -> new ArrayList<>()).add(
                partition.id().partition()));
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
