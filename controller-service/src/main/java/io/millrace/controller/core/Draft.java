package io.millrace.controller.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

import io.millrace.controller.core.ControllerState.TopicZnode;
import io.millrace.controller.core.Decision.Note;
import io.millrace.controller.partition.ElectionRules;
import io.millrace.controller.partition.Leadership;
import io.millrace.controller.partition.LiveReplicas;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.record.MetadataRecord;
import io.millrace.metadata.record.MetadataRecord.ConfigPut;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;
import io.millrace.metadata.record.Replay;
import io.millrace.metadata.znode.TopicNode;
import org.slf4j.event.Level;

/// A decision in the making: each step sees what the ones before did. Records are replayed only once somebody looks, as
/// many together as there are by then, since a decision may have thousands of them.
final class Draft {
    private final List<StoreWrite> writes = new ArrayList<>();
    private final List<MetadataRecord> records = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();
    private final ElectionRules elections;
    private ControllerState state;
    private int replayed;

    Draft(ControllerState state, ElectionRules elections) {
        this.state = state;
        this.elections = elections;
    }

    ControllerState state() {
        if (replayed < records.size()) {
            state = state.after(records.subList(replayed, records.size()));
            replayed = records.size();
        }
        return state;
    }

    ClusterImage image() {
        return state().image();
    }

    /// The brokers as partitions see them now.
    LiveReplicas live() {
        return LiveReplicas.of(image(), elections);
    }

    void record(MetadataRecord record) {
        records.add(record);
    }

    /// What was changed so far, on the way from `before`, with which the draft began.
    Changes changes(ClusterImage before) {
        return Replay.changes(before, records);
    }

    void write(StoreWrite write) {
        writes.add(write);
    }

    void update(UnaryOperator<ControllerState> change) {
        state = change.apply(state());
    }

    /// Writes a topic's node, whose version then is one higher (0 where it is created).
    void writeTopic(String topic, TopicNode node, int version) {
        write(new StoreWrite.TopicWrite(topic, node, version));
        update(now -> now.withTopic(topic, new TopicZnode(node, version + 1)));
    }

    /// Publishes a partition, and writes its state where it has one.
    void putPartition(String topic, UUID id, PartitionImage partition) {
        if (!Leadership.isWaiting(partition)) {
            write(new StoreWrite.StateWrite(topic, partition));
        }
        record(new PartitionPut(id, partition));
    }

    /// Gives partitions of a topic other replicas. Their states come first: whatever replicas the topic's node says, leader
    /// and ISR are among them, and a leader that proposes an ISR of the replicas before is refused.
    void placePartitions(TopicImage topic, List<PartitionImage> placed) {
        var known = Optional.ofNullable(state().topicNodes().get(topic.name()))
                .orElseThrow(() -> new IllegalStateException("topic=" + topic.name() + " without a node"));
        placed.forEach(partition -> putPartition(topic.name(), topic.id(), partition));
        writeTopic(topic.name(), known.node().placed(placed), known.version());
    }

    /// Writes and publishes all overrides of a resource.
    ///
    /// @param announced whether to leave a notification for those who follow ZooKeeper
    void putConfig(ConfigResource resource, Map<String, String> values, boolean announced) {
        int version = state().configVersion(resource);
        write(new StoreWrite.ConfigWrite(resource, values, version, announced));
        update(now -> now.withConfig(resource, version + 1));
        record(new ConfigPut(resource, values));
    }

    /// Tells people, once the decision holds.
    void note(Level level, String line) {
        notes.add(new Note(level, line));
    }

    Decision decision() {
        return new Decision(state(), writes, records, notes);
    }
}
