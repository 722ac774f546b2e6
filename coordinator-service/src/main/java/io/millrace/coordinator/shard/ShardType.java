package io.millrace.coordinator.shard;

import io.millrace.coordinator.record.EncodedRecord;
import io.millrace.metadata.image.ShardKind;

/// Shards of one kind.
///
/// @param <S> what each of them holds
public interface ShardType<S extends ShardContents> {
    /// Which topic they are partitions of.
    ShardKind kind();

    /// A record that changes nothing, whoever reads it: see the package's description.
    EncodedRecord mark();

    /// A shard that knows nothing yet.
    S create(ShardPlace place);
}
