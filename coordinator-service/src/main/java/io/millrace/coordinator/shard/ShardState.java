package io.millrace.coordinator.shard;

/// A shard's life in this process. It changes on the shard's loop.
///
///     Closed ──► Loading ──► Active ──► Closed      the image gives it here, and takes it away
///                   │           │
///                   └───────────┴─────► Fenced      a newer owner appended before the image told
///
/// A newer epoch leads from any state to `Loading` again.
sealed interface ShardState {
    /// Not ours.
    record Closed() implements ShardState {}

    /// Ours; its log is being read.
    record Loading(int epoch, ShardLoad load, GroupTable table) implements ShardState {}

    /// Ours, and answering.
    record Active(int epoch, ActiveShard groups) implements ShardState {}

    /// No longer ours, as the partition's leader knows.
    record Fenced(int epoch) implements ShardState {}
}
