package io.millrace.metadata.command;

import java.util.List;

import io.millrace.metadata.image.ShardKind;

/// A coordinator has read along with shards that it is to be the owner of, and can be it from one moment to the next: the
/// controller hands them over. What is no longer to be handed to it, or not from that epoch, is passed over, so that it is
/// harmless when repeated. Refused with STALE_BROKER_EPOCH or BROKER_ID_NOT_REGISTERED as [AlterPartition] is.
///
/// @param nodeId of the coordinator
/// @param nodeEpoch czxid of its registration
public record ShardsPrepared(int nodeId, long nodeEpoch, List<Prepared> shards)
        implements
            Command<ShardsPrepared.Result> {
    public ShardsPrepared {
        shards = List.copyOf(shards);
    }

    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// @param epoch in which the shard is to be owned
    public record Prepared(ShardKind kind, int shard, int epoch) {}

    /// @param handedOver how many of them that coordinator owns now
    public record Result(int handedOver) {}
}
