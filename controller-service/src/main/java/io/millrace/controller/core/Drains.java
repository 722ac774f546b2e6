package io.millrace.controller.core;

import java.util.Arrays;
import java.util.HashMap;

import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.DrainCoordinator;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.ShardKind;
import org.apache.kafka.common.protocol.Errors;

/// Coordinators that are to own nothing. It is kept among what is set for the node, with the epoch of its registration: so it is in
/// ZooKeeper, outlives this controller, and ends when the coordinator begins anew.
final class Drains {
    private static final String KEY = "millrace.coordinator.drained.epoch";

    private final Settlement settlement;

    Drains(Settlement settlement) {
        this.settlement = settlement;
    }

    /// Whether that life of a coordinator is to own nothing.
    static boolean isDrained(ClusterImage image, NodeImage node) {
        return Long.toString(node.epoch()).equals(image.configs().of(ConfigResource.broker(node.id())).get(KEY));
    }

    /// @throws CommandRefused where there is no such coordinator, or no other one
    Answer<DrainCoordinator.Result> asked(Draft draft, DrainCoordinator command) {
        var before = draft.image();
        var node = before.coordinator(command.nodeId()).orElseThrow(() -> NodeCommands.notRegistered("coordinator="
                + command.nodeId()));
        if (command.drained() && before.liveCoordinators().stream().allMatch(other -> other.id() == node.id()
                || isDrained(before, other))) {
            throw new CommandRefused(Errors.ELIGIBLE_LEADERS_NOT_AVAILABLE.code(),
                    "No other coordinator could take what coordinator " + node.id() + " owns.");
        }
        var resource = ConfigResource.broker(node.id());
        var values = new HashMap<>(before.configs().of(resource));
        if (command.drained()) {
            values.put(KEY, Long.toString(node.epoch()));
        } else {
            values.remove(KEY);
        }
        if (!values.equals(before.configs().of(resource))) {
            draft.putConfig(resource, values, false);
            settlement.settle(draft, before);
        }
        var after = draft.image();
        int owned = Arrays.stream(ShardKind.values()).mapToInt(kind -> after.shards(kind).ownedBy(node.id()).size())
                .sum();
        return Answer.atOnce(draft.decision(), new DrainCoordinator.Result(owned));
    }
}
