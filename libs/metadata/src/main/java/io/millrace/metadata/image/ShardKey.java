package io.millrace.metadata.image;

/// Which shard.
///
/// @param shard the number of the partition
public record ShardKey(ShardKind kind, int shard) {}
