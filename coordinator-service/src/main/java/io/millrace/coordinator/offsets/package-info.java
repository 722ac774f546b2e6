/// Committed offsets: what a commit, a fetch, a deletion and the passing of time do to them. Pure but for
/// [io.millrace.coordinator.offsets.GroupOffsets], the state itself, which the shard's loop owns.
@NullMarked
package io.millrace.coordinator.offsets;

import org.jspecify.annotations.NullMarked;
