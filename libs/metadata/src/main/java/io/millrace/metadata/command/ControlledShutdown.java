package io.millrace.metadata.command;

import io.millrace.metadata.image.Role;

/// Takes what a node leads or owns away from it, as far as others can have it, before it goes: from a broker its
/// leaderships, and then its places in ISRs. Answered once that is done and every live node applied it or had a second to;
/// the node serves on until then. The shards of a coordinator have successors then, and go to them one by one as these are
/// ready; it is to serve on until it owns none. Harmless when repeated, after which fewer may remain.
///
/// @param role of the node that is about to stop
/// @param nodeId of the node that is about to stop
/// @param nodeEpoch czxid of its registration
public record ControlledShutdown(Role role, int nodeId, long nodeEpoch) implements Command<ControlledShutdown.Result> {
    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// @param remaining partitions with other replicas, or shards, that nobody else can take now
    public record Result(int remaining) {}
}
