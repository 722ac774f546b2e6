package io.millrace.controller.core;

import java.time.Duration;

import io.millrace.metadata.image.ClusterImage;

/// What the active controller tells of itself to those who measure it. Called on the controller's loop.
public interface CoreObserver {

    /// Work was taken from the queue and done.
    ///
    /// @param waited in the queue
    /// @param processed until its writes were made and published
    /// @param left in the queue behind it
    void processed(Duration waited, Duration processed, int left);

    /// The image that now holds; [ClusterImage#EMPTY] after a term.
    void image(ClusterImage image);

    /// A term began after `took`, or could not be taken up.
    void tookOver(Duration took);

    /// A decision gave partitions that were there before to other leaders.
    ///
    /// @param unclean how many went to a replica that may miss acknowledged records
    /// @param took from the decision until it was written
    void elected(int unclean, Duration took);

    /// Work that failed by a bug, or writes that were in conflict too often.
    void failed();
}
