package io.millrace.controller.core;

import io.millrace.controller.core.ControllerState.ProducerIds;
import io.millrace.metadata.command.AllocateProducerIds;
import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.znode.ProducerIdBlock;
import org.apache.kafka.common.protocol.Errors;

/// Commands of a node about itself.
final class NodeCommands {
    private NodeCommands() {}

    /// @throws CommandRefused where no node of that id is registered, or another life of it asks
    static Answer<AllocateProducerIds.ProducerIds> allocate(Draft draft, AllocateProducerIds command) {
        var node = draft.image()
                .broker(command.nodeId())
                .or(() -> draft.image().coordinator(command.nodeId()))
                .orElseThrow(() -> notRegistered("node=" + command.nodeId()));
        checkLife(node.epoch(), command.nodeEpoch(), "node=" + command.nodeId());
        long first = draft.state().producerIds().next();
        if (first > Long.MAX_VALUE - ProducerIdBlock.SIZE) {
            throw new CommandRefused(Errors.UNKNOWN_SERVER_ERROR.code(), "there are no producer ids left");
        }
        int version = draft.state().producerIds().version();
        long last = first + ProducerIdBlock.SIZE - 1;
        draft.write(new StoreWrite.ProducerIdsWrite(command.nodeId(), first, last, version));
        draft.update(state -> state.with(new ProducerIds(last + 1, version + 1)));
        return Answer.atOnce(draft.decision(), new AllocateProducerIds.ProducerIds(first, ProducerIdBlock.SIZE));
    }

    /// @throws CommandRefused where that life of the broker is not registered
    static NodeImage broker(ClusterImage image, int id, long epoch) {
        var broker = image.broker(id).orElseThrow(() -> notRegistered("broker=" + id));
        checkLife(broker.epoch(), epoch, "broker=" + id);
        return broker;
    }

    static void checkLife(long registered, long asking, String node) {
        if (registered != asking) {
            throw new CommandRefused(Errors.STALE_BROKER_EPOCH.code(), node + " is registered with epoch " + registered
                    + " and asked with " + asking);
        }
    }

    static CommandRefused notRegistered(String node) {
        return new CommandRefused(Errors.BROKER_ID_NOT_REGISTERED.code(), node + " is not registered");
    }
}
