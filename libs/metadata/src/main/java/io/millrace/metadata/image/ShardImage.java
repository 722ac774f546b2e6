package io.millrace.metadata.image;

/// A shard: one partition of the topic of its kind, and who coordinates it.
///
/// @param shard the partition's number
/// @param owner coordinator id; [#NO_OWNER] where there is none
/// @param epoch goes up at each handover
public record ShardImage(int shard, int owner, int epoch) {
    /// In place of an owner's id.
    public static final int NO_OWNER = -1;

    /// Whether some coordinator owns it.
    public boolean hasOwner() {
        return owner >= 0;
    }
}
