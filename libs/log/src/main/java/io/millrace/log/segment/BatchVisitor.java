package io.millrace.log.segment;

import java.io.IOException;

import io.millrace.log.batch.Batch;

/// Is shown batches in the order of their offsets.
@FunctionalInterface
public interface BatchVisitor {
    /// @param batch the header alone, valid until this returns
    /// @param position in the segment's file
    /// @return whether to go on
    boolean visit(Batch batch, int position) throws IOException;
}
