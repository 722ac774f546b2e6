package io.millrace.controller.core;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// The durable state of the cluster, as the active controller sees it. Called on the controller's loop; futures may
/// complete on any thread.
public interface ClusterStore {

    /// Begins to keep at hand what a term begins with, so that the first look at everything after [#open] costs little.
    /// Harmless when repeated, and where it is never called.
    ///
    /// @return completes on the controller's loop with topics and configurations once they are at hand; fails where the
    ///         store is closed before
    default CompletableFuture<Observation> standBy() {
        return new CompletableFuture<>();
    }

    /// Sets all watches. What they tell from then on goes to `hints`, on the controller's loop, until [#close].
    ///
    /// @return completes once every watch is set, so that what is read afterwards misses nothing
    CompletableFuture<Void> open(Consumer<Hint> hints);

    /// Ends the watches. Harmless when repeated.
    void close();

    /// Reads what the hints point at. What cannot be read is left out or said to be unreadable, with one warning.
    CompletableFuture<Observation> observe(Set<Hint> hints);

    /// Writes in the order given, each guarded by the office's epoch.
    ///
    /// @return how far it went; fails where ZooKeeper did not answer, and then nobody knows
    CompletableFuture<WriteOutcome> write(List<StoreWrite> writes, Office office);

    /// How writing ended.
    enum WriteOutcome {
        /// All of it is in ZooKeeper.
        WRITTEN,
        /// Something in ZooKeeper was not as the decision took it to be; a beginning of it may be written. Look again at what
        /// it was to write, decide again.
        CONFLICT,
        /// Another controller took over. Resign.
        DEPOSED
    }
}
