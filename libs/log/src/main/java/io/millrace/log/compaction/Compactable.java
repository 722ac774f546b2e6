package io.millrace.log.compaction;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.millrace.log.producer.LastBatch;
import io.millrace.log.segment.Segment;

/// A log as the cleaner sees it. Safe for use by several threads, but one clean at a time.
public interface Compactable {
    Path directory();

    /// How it is now.
    CompactionState state();

    /// What is to stay of each producer below `end`, by its id.
    Map<Long, LastBatch> lastBatches(long end);

    /// Closes the active segment where it is older than the topic's settings let a record wait, though nothing is appended
    /// that would do it.
    void rollIfOld() throws IOException;

    /// An empty segment beside those of the log. Whoever gets it fills it, and then gives it to [#replace] or discards it.
    Segment newCleaned(long baseOffset) throws IOException;

    /// Whether a clean that began at `state` still makes sense: since then the log was neither cut nor closed, nor has its
    /// disk failed.
    boolean isCurrent(CompactionState state);

    /// Puts `cleaned` in the place of `old`, so that a crash at any point leaves the one or the others. Readers of the old
    /// ones end well.
    ///
    /// @param cleaned whole and durable
    /// @return false where the log is not what it was at `state`; nothing has changed then
    boolean replace(CompactionState state, List<Segment> old, Segment cleaned) throws IOException;

    /// Has what [#newCleaned] gave go again.
    void discard(Segment cleaned) throws IOException;

    /// Everything below `offset` is clean. Durable when it returns.
    ///
    /// @param nextDeleteHorizon when the first of the tombstones and markers that are left may go, milliseconds since 1970;
    ///        `Long.MAX_VALUE` where none is left
    void cleanedTo(CompactionState state, long offset, long nextDeleteHorizon) throws IOException;

    /// Tells the log that its disk failed while it was cleaned.
    void failed(IOException failure);
}
