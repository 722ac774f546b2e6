package io.millrace.coordinator.shard;

/// A shard's life in this process. It changes on the shard's loop.
///
///     Closed ──► Loading ──► Active ──► Closed      the image gives it here, and takes it away
///       │           ▲ │         │
///       └► Standby ─┘ └─────────┴─────► Fenced      a newer owner appended before the image told
///
/// A newer epoch leads from any state to `Loading` again, or to `Standby`.
///
/// @param <S> what the shard holds
sealed interface ShardState<S extends ShardContents> {
    /// Not ours.
    record Closed<S extends ShardContents>() implements ShardState<S> {}

    /// To be ours in that epoch; its log is being read along.
    record Standby<S extends ShardContents>(int epoch, ShardLoad load, S contents) implements ShardState<S> {}

    /// Ours; its log is being read.
    record Loading<S extends ShardContents>(int epoch, ShardLoad load, S contents) implements ShardState<S> {}

    /// Ours, and answering.
    record Active<S extends ShardContents>(int epoch, S contents) implements ShardState<S> {}

    /// No longer ours, as the partition's leader knows.
    record Fenced<S extends ShardContents>(int epoch) implements ShardState<S> {}
}
