package io.millrace.tests.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.command.AlterReassignments;
import io.millrace.metadata.command.AlterReassignments.Target;
import io.millrace.metadata.command.ElectLeaders;
import io.millrace.metadata.image.ConfigResource;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Works on partitions while they are used: moves them, calls moves off, asks for leaders, changes settings, deletes old
/// records.
final class Operator {
    private static final int DELETE_TIMEOUT_MILLIS = 1_500;

    private final SimulatedClient client;
    private final AdminRequests requests;
    private final Scenario scenario;
    private final Committed committed;
    private final SplittableRandom random;

    Operator(SimulatedClient client, AdminRequests requests, Scenario scenario, Committed committed) {
        this.client = client;
        this.requests = requests;
        this.scenario = scenario;
        this.committed = committed;
        random = client.world().random().split();
    }

    /// Does something to that partition, or to its topic.
    void workOn(String topic, PartitionKey partition) {
        switch (random.nextInt(6)) {
            case 0, 1 -> move(topic, partition.partition(), replicas());
            case 2 -> move(topic, partition.partition(), null);
            case 3 -> electPreferred(topic, partition.partition());
            case 4 -> configure(topic);
            default -> deleteRecords(topic, partition);
        }
    }

    private List<Integer> replicas() {
        var brokers = new ArrayList<Integer>();
        for (int id = 0; id < scenario.brokers(); id++) {
            brokers.add(random.nextInt(brokers.size() + 1), id);
        }
        return brokers.subList(0, scenario.replicas());
    }

    /// @param to null calls off what goes on
    private void move(String topic, int partition, @Nullable List<Integer> to) {
        requests.ask("move topic=%s partition=%d to=%s".formatted(topic, partition, to), new AlterReassignments(List.of(
                new Target(topic, partition, to)), false, false, 0), result -> happened(to == null ? "cancel" : "move",
                        result.outcomes().getFirst().errorCode()));
    }

    private void electPreferred(String topic, int partition) {
        requests.ask("elect topic=%s partition=%d".formatted(topic, partition), new ElectLeaders(
                ElectLeaders.Type.PREFERRED, List.of(new ElectLeaders.TopicPartition(topic, partition)), 0),
                result -> happened("election", result.outcomes().getFirst().errorCode()));
    }

    /// Fewer in-sync replicas may be asked for only where no disk forgets anything.
    private void configure(String topic) {
        boolean safety = random.nextBoolean() && !scenario.faults().contains(Fault.POWER_LOSS);
        var op = safety
                ? new Op("min.insync.replicas", Integer.toString(1 + random.nextInt(scenario.replicas())), OpType.SET)
                : new Op("segment.bytes", Integer.toString(300 + random.nextInt(2_000)), OpType.SET);
        requests.ask("configure topic=%s %s=%s".formatted(topic, op.key(), op.value()), new AlterConfigs(List.of(
                new ConfigAlteration(ConfigResource.topic(topic), List.of(op))), false, false), result -> happened(
                        "configuration", result.resources().getFirst().errorCode()));
    }

    private void deleteRecords(String topic, PartitionKey key) {
        var known = client.find(key);
        var log = committed.of(key);
        if (known == null || !known.hasLeader() || log.end() == 0) {
            return;
        }
        // Not the newest ones: with them would go what is known of their producers.
        long before = random.nextInt(log.end()) / 2;
        log.mayBeDeleted(before);
        var asked = new DeleteRecordsTopic().setName(topic);
        asked.partitions().add(new DeleteRecordsPartition().setPartitionIndex(key.partition()).setOffset(before));
        client.world().trace().say("delete records topic=%s partition=%d before=%d", topic, key.partition(), before);
        var request = new DeleteRecordsRequestData().setTimeoutMs(DELETE_TIMEOUT_MILLIS);
        request.topics().add(asked);
        client.<DeleteRecordsResponseData>ask(known.leader(), request, answer -> happened("deletion of records", answer
                .topics().iterator().next().partitions().iterator().next().errorCode()), () -> {});
    }

    private void happened(String what, short error) {
        if (error == Errors.NONE.code()) {
            client.world().trace().happened(what);
        }
    }
}
