package io.millrace.log.producer;

import io.millrace.log.batch.Batch;
import io.millrace.log.batch.Sequences;

/// What is kept of a batch, so that it is known when it comes again.
///
/// @param lastSequence of its last record
/// @param lastOffset of its last record
/// @param offsetDelta how many offsets it spans, less one
/// @param timestamp its latest, milliseconds since 1970
record KeptBatch(int lastSequence, long lastOffset, int offsetDelta, long timestamp) {
    static KeptBatch of(Batch batch) {
        return new KeptBatch(batch.lastSequence(), batch.lastOffset(), batch.lastOffsetDelta(), batch
                .maxTimestamp());
    }

    int firstSequence() {
        return Sequences.minus(lastSequence, offsetDelta);
    }

    long firstOffset() {
        return lastOffset - offsetDelta;
    }

    boolean isSameAs(Batch batch) {
        return firstSequence() == batch.baseSequence() && lastSequence == batch.lastSequence();
    }
}
