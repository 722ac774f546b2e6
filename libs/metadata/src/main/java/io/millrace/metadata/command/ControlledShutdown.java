package io.millrace.metadata.command;

import io.millrace.metadata.image.Role;

/// Takes what a node leads or owns away from it, as far as others can have it, before it goes.
///
/// @param role of the node that is about to stop
/// @param nodeId of the node that is about to stop
/// @param nodeEpoch czxid of its registration
public record ControlledShutdown(Role role, int nodeId, long nodeEpoch) implements Command<ControlledShutdown.Result> {
    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// @param remaining partitions or shards that nobody else can take now
    public record Result(int remaining) {}
}
