package io.millrace.log;

import java.nio.ByteBuffer;
import java.util.List;

import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.Batches;

/// Batches that a log has checked, and written anew where its topic wants another codec; to be appended to that log, soon and
/// once. May be handed from one thread to another.
public final class CheckedBatches {
    private final List<Batch> batches;
    private final AppendOrigin origin;

    /// @param batches one behind the other in one buffer
    CheckedBatches(List<Batch> batches, AppendOrigin origin) {
        this.batches = batches;
        this.origin = origin;
    }

    List<Batch> batches() {
        return batches;
    }

    AppendOrigin origin() {
        return origin;
    }

    /// As they will be written, but for offsets and epochs.
    public ByteBuffer bytes() {
        return Batches.bytes(batches);
    }
}
