package io.millrace.admin.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.millrace.admin.event.ClusterEvent.Difference;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigType;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import org.jspecify.annotations.Nullable;

/// From two images to what happened between them. **pure**
final class Differences {
    private final ClusterImage before;
    private final ClusterImage after;
    private final List<Difference> found = new ArrayList<>();

    private Differences(ClusterImage before, ClusterImage after) {
        this.before = before;
        this.after = after;
    }

    static List<Difference> between(ClusterImage before, ClusterImage after, Changes changes) {
        var differences = new Differences(before, after);
        if (before.controllerId() != after.controllerId() && after.controllerId() >= 0) {
            differences.add("controller.elected", null, Map.of("controller_id", after.controllerId()), before
                    .controllerId(), after.controllerId());
        }
        changes.nodes().forEach(differences::node);
        changes.removedTopics().forEach(id -> before.topic(id).ifPresent(topic -> differences.add("topic.deleted", topic
                .name(), Map.of("topic_name", topic.name()), null, null)));
        changes.topics().forEach(differences::topic);
        // Those of users are secrets.
        changes.configs().stream().filter(resource -> resource.type() != ConfigType.USER).forEach(
                resource -> differences.add("config.changed", resource.type() == ConfigType.TOPIC
                        ? resource.name()
                        : null, Map.of("resource_type", resource.type().name(), "resource_name", resource.name()),
                        before
                                .configs().of(resource), after.configs().of(resource)));
        return List.copyOf(differences.found);
    }

    private void add(String type, @Nullable String topic, Map<String, Object> resource, @Nullable Object was,
            @Nullable Object is) {
        found.add(new Difference(type, topic, resource, was, is));
    }

    private void node(NodeKey key) {
        if (key.role() != Role.BROKER && key.role() != Role.COORDINATOR) {
            return;
        }
        var was = before.nodes().node(key.role(), key.id());
        var is = after.nodes().node(key.role(), key.id());
        var what = key.role() == Role.BROKER ? "broker" : "coordinator";
        var resource = Map.<String, Object>of(what + "_id", key.id());
        var stateBefore = was.map(node -> node.state().name()).orElse(null);
        var stateAfter = is.map(node -> node.state().name()).orElse(null);
        if (java.util.Objects.equals(stateBefore, stateAfter)) {
            was.flatMap(old -> is.filter(now -> !now.failedReplicas().equals(old.failedReplicas()) && !now
                    .failedReplicas().isEmpty())).ifPresent(now -> add("logdir.failed", null, resource, null, null));
            return;
        }
        var state = is.map(node -> node.state()).orElse(NodeState.FENCED);
        add(what + switch (state) {
            case ACTIVE -> ".up";
            case SHUTTING_DOWN -> ".draining";
            case FENCED -> ".down";
        }, null, resource, stateBefore, stateAfter);
    }

    private void topic(UUID id) {
        var is = after.topic(id);
        var was = before.topic(id);
        if (is.isEmpty()) {
            return;
        }
        var name = is.get().name();
        if (was.isEmpty()) {
            add("topic.created", name, Map.of("topic_name", name), null, Map.of("partitions_count", is.get()
                    .partitions()
                    .size()));
            return;
        }
        if (was.get().partitions().size() != is.get().partitions().size()) {
            add("topic.altered", name, Map.of("topic_name", name), Map.of("partitions_count", was.get().partitions()
                    .size()), Map.of("partitions_count", is.get().partitions().size()));
        }
        for (var partition : is.get().partitions()) {
            was.get().partition(partition.partition()).ifPresent(old -> partition(name, old, partition));
        }
    }

    private void partition(String topic, PartitionImage was, PartitionImage is) {
        if (was.equals(is)) {
            return;
        }
        var resource = Map.<String, Object>of("topic_name", topic, "partition_id", is.partition());
        if (was.leader() != is.leader()) {
            add(is.hasLeader() ? "partition.leader" : "partition.offline", topic, resource, was.leader(), is.leader());
        }
        if (!was.isr().equals(is.isr())) {
            add("partition.isr", topic, resource, was.isr(), is.isr());
        }
        if (!was.isMoving() && is.isMoving()) {
            add("reassignment.started", topic, resource, was.replicas(), is.replicas());
        } else if (was.isMoving() && !is.isMoving()) {
            add("reassignment.ended", topic, resource, was.replicas(), is.replicas());
        }
    }
}
