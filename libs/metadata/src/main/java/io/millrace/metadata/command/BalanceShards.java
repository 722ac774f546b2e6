package io.millrace.metadata.command;

import java.util.List;

import io.millrace.metadata.image.ShardKind;

/// Evens out what coordinators own, besides what the controller does of itself. A shard goes once its successor is ready.
///
/// @param mostMoves handovers of each kind that may be under way, those before it included
/// @param validateOnly only say what would go where
public record BalanceShards(int mostMoves, boolean validateOnly) implements Command<BalanceShards.Result> {
    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// A shard on its way.
    public record ShardMove(ShardKind kind, int shard, int from, int to) {}

    /// @param moves all that are under way then
    public record Result(List<ShardMove> moves) {
        public Result {
            moves = List.copyOf(moves);
        }
    }
}
