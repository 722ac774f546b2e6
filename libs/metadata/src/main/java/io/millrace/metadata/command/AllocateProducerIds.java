package io.millrace.metadata.command;

import io.millrace.metadata.command.AllocateProducerIds.ProducerIds;

/// Gives a node producer ids that nobody else gets.
///
/// @param nodeId of the broker or coordinator that asks
/// @param nodeEpoch czxid of its registration
public record AllocateProducerIds(int nodeId, long nodeEpoch) implements Command<ProducerIds> {
    @Override
    public Class<ProducerIds> resultType() {
        return ProducerIds.class;
    }

    /// @param first the first id
    /// @param count how many from there on are given
    public record ProducerIds(long first, int count) {}
}
