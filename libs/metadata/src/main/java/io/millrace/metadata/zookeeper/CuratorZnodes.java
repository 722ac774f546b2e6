package io.millrace.metadata.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.millrace.base.check.Check;
import io.millrace.base.loop.Backoff;
import io.millrace.base.loop.Deadline;
import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.zookeeper.ZnodeRefused.Reason;
import lombok.extern.slf4j.Slf4j;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.watch.PersistentWatcher;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.ZooKeeper;

/// [Znodes] over Curator, which keeps the session and the watches; the requests themselves go to the client that it holds.
@Slf4j
final class CuratorZnodes implements Znodes {
    private static final String CONTROLLER_EPOCH = "/controller_epoch";
    private static final int READS_IN_FLIGHT = 8;
    private static final int ATTEMPTS = 5;
    private static final Backoff READ_BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));

    private final CuratorFramework curator;
    private final Requests requests;
    private final Session session;
    private final Duration patience;

    private CuratorZnodes(CuratorFramework curator, Requests requests, Session session, Duration patience) {
        this.curator = curator;
        this.requests = requests;
        this.session = session;
        this.patience = patience;
    }

    static CuratorZnodes connect(ZooKeeperConfig config, ZooKeeperMetrics metrics) throws ZnodesUnavailable,
            InterruptedException {
        var deadline = Deadline.in(config.connectionTimeout(), Ticker.SYSTEM);
        Connector.ensureChroot(config, deadline);
        var client = new AtomicReference<ZooKeeper>();
        var curator = Connector.client(config, config.connect(), client);
        var session = new Session(metrics);
        var requests = new Requests(client, config.sessionTimeout(), metrics);
        curator.getConnectionStateListenable().addListener((_, state) -> session.changed(state, requests.sessionId()));
        Connector.start(curator, config, deadline);
        session.remember(requests.sessionId());
        return new CuratorZnodes(curator, requests, session, config.sessionTimeout());
    }

    @Override
    public CompletableFuture<Optional<Znode>> read(String path) {
        return readAll(List.of(path)).thenApply(List::getFirst);
    }

    @Override
    public CompletableFuture<List<Optional<Znode>>> readAll(List<String> paths) {
        var chunks = new ArrayList<List<String>>();
        for (int i = 0; i < paths.size(); i += MAX_WRITES) {
            chunks.add(paths.subList(i, Math.min(paths.size(), i + MAX_WRITES)));
        }
        var answers = new ArrayList<CompletableFuture<List<Optional<Znode>>>>();
        chunks.forEach(_ -> answers.add(new CompletableFuture<>()));
        var next = new AtomicInteger();
        for (int lane = 0; lane < READS_IN_FLIGHT; lane++) {
            readNext(chunks, answers, next);
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(_ -> answers.stream().map(CompletableFuture::join).flatMap(Collection::stream).toList());
    }

    private void readNext(List<List<String>> chunks, List<CompletableFuture<List<Optional<Znode>>>> answers,
            AtomicInteger next) {
        int mine = next.getAndIncrement();
        if (mine >= chunks.size()) {
            return;
        }
        retried(() -> requests.read(chunks.get(mine))).whenComplete((nodes, failure) -> {
            if (failure != null) {
                answers.get(mine).completeExceptionally(Failure.cause(failure));
            } else {
                answers.get(mine).complete(nodes);
            }
            readNext(chunks, answers, next);
        });
    }

    @Override
    public CompletableFuture<List<String>> children(String path) {
        return retried(() -> requests.children(path));
    }

    @Override
    public CompletableFuture<List<Written>> multi(List<ZnodeWrite> writes) {
        Check.argument(writes.size() <= MAX_WRITES, "%d writes in one multi", writes.size());
        return writes.isEmpty() ? CompletableFuture.completedFuture(List.of()) : requests.multi(writes);
    }

    @Override
    public CompletableFuture<List<Written>> guarded(int epochVersion, List<ZnodeWrite> writes) {
        Check.argument(writes.size() <= MAX_WRITES, "%d writes in one multi", writes.size());
        var all = new ArrayList<ZnodeWrite>(writes.size() + 1);
        all.add(new ZnodeWrite.Check(CONTROLLER_EPOCH, epochVersion));
        all.addAll(writes);
        return requests.multi(all)
                .thenApply(written -> written.subList(1, written.size()))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(deposed(failure, epochVersion)));
    }

    private static Throwable deposed(Throwable failure, int epochVersion) {
        var cause = Failure.cause(failure);
        return cause instanceof ZnodeRefused refused && refused.path().equals(CONTROLLER_EPOCH)
                ? new Deposed(epochVersion)
                : cause;
    }

    @Override
    public CompletableFuture<Void> ensure(String path) {
        return requests.multi(List.of(new ZnodeWrite.Create(path, "")))
                .<Void>thenApply(_ -> null)
                .exceptionallyCompose(failure -> {
                    var reason = Failure.reason(failure);
                    int parent = path.lastIndexOf('/');
                    if (reason == Reason.NODE_EXISTS) {
                        return CompletableFuture.completedFuture(null);
                    }
                    return reason == Reason.NO_NODE && parent > 0
                            ? ensure(path.substring(0, parent)).thenCompose(_ -> ensure(path))
                            : CompletableFuture.failedFuture(Failure.cause(failure));
                });
    }

    @Override
    public CompletableFuture<Znode> createEphemeral(String path, String data) {
        return createEphemeral(path, data, ATTEMPTS);
    }

    private CompletableFuture<Znode> createEphemeral(String path, String data, int attempts) {
        return requests.createEphemeral(path, data)
                .exceptionallyCompose(failure -> Failure.reason(failure) == Reason.NODE_EXISTS && attempts > 1
                        ? replaceOurs(path, data, attempts)
                        : CompletableFuture.failedFuture(Failure.cause(failure)));
    }

    /// The node may be of an earlier session of ours, or of this one where only the answer was lost.
    private CompletableFuture<Znode> replaceOurs(String path, String data, int attempts) {
        return read(path).thenCompose(found -> {
            if (found.isEmpty()) {
                return createEphemeral(path, data, attempts - 1);
            }
            var node = found.get();
            if (node.ephemeralOwner() == requests.sessionId() && node.data().equals(data)) {
                return CompletableFuture.completedFuture(node);
            }
            if (!session.wasOurs(node.ephemeralOwner())) {
                return CompletableFuture.failedFuture(new ZnodeRefused(Reason.NODE_EXISTS, path));
            }
            log.info("replacing what our own session left behind path={} session=0x{}", path,
                    Long.toHexString(node.ephemeralOwner()));
            return requests.multi(List.of(new ZnodeWrite.Delete(path, node.version())))
                    .handle((_, failure) -> failure)
                    .thenCompose(failure -> failure == null || Failure.reason(failure) != null
                            ? createEphemeral(path, data, attempts - 1)
                            : CompletableFuture.failedFuture(Failure.cause(failure)));
        });
    }

    @Override
    public CompletableFuture<Void> deleteTree(String path) {
        return new TreeRemoval(this).remove(path);
    }

    @Override
    public Watch watch(String path, Loop loop, Consumer<ZnodeEvent> listener) {
        var watcher = new PersistentWatcher(curator, path, true);
        watcher.getListenable().addListener(event -> eventOf(event).ifPresent(told -> tell(loop, listener, told)));
        watcher.getResetListenable().addListener(() -> tell(loop, listener, new ZnodeEvent.Reset(path)));
        watcher.start();
        return watcher::close;
    }

    private static Optional<ZnodeEvent> eventOf(WatchedEvent event) {
        return switch (event.getType()) {
            case NodeCreated -> Optional.of(new ZnodeEvent.Created(event.getPath()));
            case NodeDataChanged -> Optional.of(new ZnodeEvent.Changed(event.getPath()));
            case NodeDeleted -> Optional.of(new ZnodeEvent.Deleted(event.getPath()));
            // A recursive watch tells of the children themselves; the rest is about connection and watch.
            case NodeChildrenChanged, None, DataWatchRemoved, ChildWatchRemoved, PersistentWatchRemoved ->
                Optional.empty();
        };
    }

    private static void tell(Loop loop, Consumer<ZnodeEvent> listener, ZnodeEvent event) {
        try {
            loop.execute(() -> listener.accept(event));
        } catch (RejectedExecutionException _) {
            log.debug("{} not told: the listener's loop is closed", event);
        }
    }

    @Override
    public Watch session(Loop loop, Consumer<SessionState> listener) {
        return session.listen(loop, listener);
    }

    @Override
    public SessionState state() {
        return session.state();
    }

    @Override
    public void close() {
        curator.close();
    }

    private <T> CompletableFuture<T> retried(Supplier<CompletableFuture<T>> read) {
        return retried(read, Deadline.in(patience, Ticker.SYSTEM), 0);
    }

    private <T> CompletableFuture<T> retried(Supplier<CompletableFuture<T>> read, Deadline deadline, int attempt) {
        return read.get().exceptionallyCompose(failure -> {
            if (Failure.reason(failure) != null || deadline.passed()) {
                return CompletableFuture.failedFuture(Failure.cause(failure));
            }
            var later = CompletableFuture.delayedExecutor(
                    READ_BACKOFF.delay(attempt, ThreadLocalRandom.current()).toMillis(), TimeUnit.MILLISECONDS);
            return CompletableFuture.runAsync(() -> {}, later)
                    .thenCompose(_ -> retried(read, deadline, attempt + 1));
        });
    }
}
