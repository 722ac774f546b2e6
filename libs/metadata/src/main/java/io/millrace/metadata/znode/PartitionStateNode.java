package io.millrace.metadata.znode;

import java.util.List;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;

/// `/brokers/topics/T/partitions/P/state`: leader and ISR. The node's zkVersion is the partition epoch.
///
/// @param leader broker id; -1 none, -2 being deleted
/// @param leaderEpoch 0 at first
/// @param controllerEpoch of the controller that wrote it
/// @param recovering whether the leader was elected out of sync and has not recovered
/// @param others keys that are unknown here
public record PartitionStateNode(int leader, int leaderEpoch, int controllerEpoch, List<Integer> isr,
        boolean recovering, Map<String, JsonNode> others) {
    private static final String RECOVERY = "leader_recovery_state";
    private static final Set<String> KNOWN = Set.of("version", "leader", "leader_epoch", "controller_epoch", "isr",
            RECOVERY);

    public PartitionStateNode {
        isr = List.copyOf(isr);
        others = Map.copyOf(others);
    }

    /// A state with nothing unknown in it and no recovery.
    public PartitionStateNode(int leader, int leaderEpoch, int controllerEpoch, List<Integer> isr) {
        this(leader, leaderEpoch, controllerEpoch, isr, false, Map.of());
    }

    /// @throws MalformedZnode where it cannot be read
    public static PartitionStateNode parse(String json) {
        var fields = Fields.of("partition state", json);
        return new PartitionStateNode(fields.intOf("leader"), fields.intOf("leader_epoch"),
                fields.intOf("controller_epoch"), fields.intsOf("isr"), fields.intOf(RECOVERY, 0) == 1,
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
        return Fields.write(object, others);
    }
}
