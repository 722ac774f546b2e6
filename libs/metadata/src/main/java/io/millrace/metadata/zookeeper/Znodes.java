package io.millrace.metadata.zookeeper;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Loop;

/// ZooKeeper, below the chroot of this cluster.
///
/// Futures fail with [ZnodeRefused] where ZooKeeper said no, with [ZnodesUnavailable] where it did not answer. Reads are
/// tried again for a while after a lost connection; writes never, since nobody knows whether they were made.
public interface Znodes extends AutoCloseable {

    /// As many writes as fit in one multi.
    int MAX_WRITES = 500;

    /// Connects, and creates the chroot where it is missing. Blocks until there is a session, at most the configuration's
    /// connection timeout.
    ///
    /// @throws ZnodesUnavailable where there was no session in time
    static Znodes connect(ZooKeeperConfig config, MeterRegistry meters) throws ZnodesUnavailable, InterruptedException {
        return CuratorZnodes.connect(config, new ZooKeeperMetrics(meters));
    }

    /// The node, or empty where there is none.
    CompletableFuture<Optional<Znode>> read(String path);

    /// The nodes of `paths`, in their order, empty where there is none. Many at a time: not one moment's picture.
    CompletableFuture<List<Optional<Znode>>> readAll(List<String> paths);

    /// The names of the children, in no order; none where the node itself is missing.
    CompletableFuture<List<String>> children(String path);

    /// Does all of `writes` or none.
    ///
    /// @param writes at most [#MAX_WRITES]
    /// @return what came of each, in their order
    CompletableFuture<List<Written>> multi(List<ZnodeWrite> writes);

    /// Does all of `writes` or none, and only while `/controller_epoch` has that zkVersion; fails with [Deposed] else.
    ///
    /// @param writes at most [#MAX_WRITES]
    CompletableFuture<List<Written>> guarded(int epochVersion, List<ZnodeWrite> writes);

    /// Creates what is missing of `path` and its parents, without data.
    CompletableFuture<Void> ensure(String path);

    /// Creates a node that goes with this session; its parent is there. One that an earlier session of this object left
    /// behind is replaced; one of anybody else refuses it with [ZnodeRefused.Reason#NODE_EXISTS].
    ///
    /// @return the node as created; its czxid is the epoch of what registered with it
    CompletableFuture<Znode> createEphemeral(String path, String data);

    /// Removes `path` and all below it, bottom up; does nothing where it is missing. Not atomic.
    CompletableFuture<Void> deleteTree(String path);

    /// Tells of everything that happens to `path` and below it, until the watch is closed. Begins with a
    /// [ZnodeEvent.Reset] once the watch is set, and with another one after each lost connection.
    Watch watch(String path, Loop loop, Consumer<ZnodeEvent> listener);

    /// Tells the state of the session: the present one first, then each change.
    Watch session(Loop loop, Consumer<SessionState> listener);

    /// The present state of the session.
    SessionState state();

    /// Ends the session, and with it the ephemeral nodes.
    @Override
    void close();

    /// Replaces the data of one node.
    ///
    /// @param version that it must have; [ZnodeWrite#ANY_VERSION] for any
    default CompletableFuture<Written> set(String path, String data, int version) {
        return multi(List.of(new ZnodeWrite.Set(path, data, version))).thenApply(List::getFirst);
    }

    /// Creates a persistent node; its parent is there.
    default CompletableFuture<Written> create(String path, String data) {
        return multi(List.of(new ZnodeWrite.Create(path, data))).thenApply(List::getFirst);
    }

    /// Removes a node that has no children.
    ///
    /// @param version that it must have; [ZnodeWrite#ANY_VERSION] for any
    default CompletableFuture<Written> delete(String path, int version) {
        return multi(List.of(new ZnodeWrite.Delete(path, version))).thenApply(List::getFirst);
    }
}
