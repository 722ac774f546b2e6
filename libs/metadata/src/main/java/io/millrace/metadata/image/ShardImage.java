package io.millrace.metadata.image;

/// A shard: one partition of the topic of its kind, and who coordinates it.
///
/// @param shard the partition's number
/// @param owner coordinator id; [#NO_OWNER] where there is none
/// @param epoch goes up at each handover
/// @param successor coordinator that is to read along until it says that it is ready to be the owner in the next epoch;
///        [#NO_OWNER] where no handover is being prepared. The controller keeps it in memory alone.
public record ShardImage(int shard, int owner, int epoch, int successor) {
    /// In place of an owner's or successor's id.
    public static final int NO_OWNER = -1;

    /// A shard that is to stay where it is.
    public ShardImage(int shard, int owner, int epoch) {
        this(shard, owner, epoch, NO_OWNER);
    }

    /// Whether some coordinator owns it.
    public boolean hasOwner() {
        return owner >= 0;
    }

    /// Whether a handover is being prepared.
    public boolean hasSuccessor() {
        return successor >= 0;
    }

    /// With a handover to `next` being prepared; with none where that is [#NO_OWNER].
    public ShardImage preparedFor(int next) {
        return new ShardImage(shard, owner, epoch, next);
    }

    /// Owned by `next` from now on.
    public ShardImage handedTo(int next) {
        return new ShardImage(shard, next, epoch + 1);
    }
}
