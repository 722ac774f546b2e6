package io.millrace.metadata.znode;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.millrace.metadata.image.EligibleReplica;
import tools.jackson.databind.JsonNode;

/// `/brokers/topics/T/partitions/P/state`: leader and ISR. The node's zkVersion is the partition epoch.
///
/// @param leader broker id; -1 none, -2 being deleted
/// @param leaderEpoch 0 at first
/// @param controllerEpoch of the controller that wrote it
/// @param recovering whether the leader was elected out of sync and has not recovered
/// @param elr the lives of those brokers that could lead beside the ISR; written where there are any
/// @param others keys that are unknown here
public record PartitionStateNode(int leader, int leaderEpoch, int controllerEpoch, List<Integer> isr,
        boolean recovering, List<EligibleReplica> elr, Map<String, JsonNode> others) {
    private static final String RECOVERY = "leader_recovery_state";
    private static final String ELR = "eligible_leader_replicas";
    private static final Set<String> KNOWN = Set.of("version", "leader", "leader_epoch", "controller_epoch", "isr",
            RECOVERY, ELR);

    public PartitionStateNode {
        isr = List.copyOf(isr);
        elr = List.copyOf(elr);
        others = Map.copyOf(others);
    }

    /// A state with nothing unknown in it, no recovery, and nobody who could lead but those in sync.
    public PartitionStateNode(int leader, int leaderEpoch, int controllerEpoch, List<Integer> isr) {
        this(leader, leaderEpoch, controllerEpoch, isr, List.of());
    }

    /// A state with nothing unknown in it and no recovery.
    public PartitionStateNode(int leader, int leaderEpoch, int controllerEpoch, List<Integer> isr,
            List<EligibleReplica> elr) {
        this(leader, leaderEpoch, controllerEpoch, isr, false, elr, Map.of());
    }

    /// @throws MalformedZnode where it cannot be read
    public static PartitionStateNode parse(String json) {
        var fields = Fields.of("partition state", json);
        return new PartitionStateNode(fields.intOf("leader"), fields.intOf("leader_epoch"),
                fields.intOf("controller_epoch"), fields.intsOf("isr"), fields.intOf(RECOVERY, 0) == 1,
                elr(fields),
                fields.others(KNOWN));
    }

    /// As it is stored.
    public String json() {
        var object = Fields.object()
                .put("version", 1)
                .put("leader", leader)
                .put("leader_epoch", leaderEpoch)
                .put("controller_epoch", controllerEpoch);
        isr.forEach(object.putArray("isr")::add);
        if (recovering) {
            object.put(RECOVERY, 1);
        }
        if (!elr.isEmpty()) {
            var lives = object.putObject(ELR);
            elr.forEach(replica -> lives.put(Integer.toString(replica.broker()), replica.life()));
        }
        return Fields.write(object, others);
    }

    private static List<EligibleReplica> elr(Fields fields) {
        return fields.textsByNumberOf(ELR).entrySet().stream().map(entry -> new EligibleReplica(entry.getKey(), entry
                .getValue())).toList();
    }
}
