package io.millrace.metadata.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.millrace.base.loop.Ticker;
import io.millrace.metadata.zookeeper.ZnodeRefused.Reason;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.CreateResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.OpResult.GetDataResult;
import org.apache.zookeeper.OpResult.SetDataResult;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/// Single requests to whichever ZooKeeper client is current, asynchronous and without retries. They are sent by the client
/// itself and not by Curator, since a multi of many reads is several times faster so, and a write must not be repeated
/// behind the back of the one who asked for it.
final class Requests {
    /// More in flight than this are refused: whoever asks that much without waiting is at fault, or ZooKeeper hangs.
    private static final int MAX_IN_FLIGHT = 10_000;

    private final AtomicReference<ZooKeeper> client;
    private final Duration timeout;
    private final ZooKeeperMetrics metrics;
    private final AtomicInteger inFlight = new AtomicInteger();

    /// @param client the present one; null inside before the first
    /// @param timeout after which an answer is not waited for any more
    Requests(AtomicReference<ZooKeeper> client, Duration timeout, ZooKeeperMetrics metrics) {
        this.client = client;
        this.timeout = timeout;
        this.metrics = metrics;
    }

    /// The nodes of at most [Znodes#MAX_WRITES] paths.
    CompletableFuture<List<Optional<Znode>>> read(List<String> paths) {
        return send((zooKeeper, answer) -> zooKeeper.multi(paths.stream().map(Op::getData).toList(),
                (rc, _, _, results) -> answer.accept(() -> nodes(rc, paths, results)), null));
    }

    CompletableFuture<List<String>> children(String path) {
        return send((zooKeeper, answer) -> zooKeeper.getChildren(path, false,
                (rc, _, _, names) -> answer.accept(() -> rc == Code.NONODE.intValue()
                        ? List.of()
                        : checked(rc, path, names)), null));
    }

    CompletableFuture<Znode> createEphemeral(String path, String data) {
        return send((zooKeeper, answer) -> zooKeeper.create(path, bytes(data), Ids.OPEN_ACL_UNSAFE,
                CreateMode.EPHEMERAL, (rc, _, _, _, stat) -> answer.accept(() -> node(path, bytes(data),
                        checked(rc, path, stat))), null));
    }

    CompletableFuture<List<Written>> multi(List<ZnodeWrite> writes) {
        return send((zooKeeper, answer) -> zooKeeper.multi(writes.stream().map(Requests::op).toList(),
                (rc, _, _, results) -> answer.accept(() -> written(rc, writes, results)), null));
    }

    /// The session of the present client; 0 before it has one.
    long sessionId() {
        var present = client.get();
        return present == null ? 0 : present.getSessionId();
    }

    @FunctionalInterface
    private interface Answer<T> {
        T read() throws ZnodesUnavailable;
    }

    @FunctionalInterface
    private interface Request<T> {
        void send(ZooKeeper client, Consumer<Answer<T>> answer);
    }

    private <T> CompletableFuture<T> send(Request<T> request) {
        var future = new CompletableFuture<T>();
        var present = client.get();
        if (present == null) {
            future.completeExceptionally(new ZnodesUnavailable("not connected to ZooKeeper"));
            return future;
        }
        if (inFlight.incrementAndGet() > MAX_IN_FLIGHT) {
            inFlight.decrementAndGet();
            future.completeExceptionally(new ZnodesUnavailable("too many requests to ZooKeeper in flight"));
            return future;
        }
        long start = Ticker.SYSTEM.nanos();
        request.send(present, answer -> {
            inFlight.decrementAndGet();
            metrics.answered(Ticker.SYSTEM.since(start));
            try {
                future.complete(answer.read());
            } catch (ZnodesUnavailable | RuntimeException failure) {
                future.completeExceptionally(failure);
            }
        });
        return future.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).exceptionallyCompose(failure -> {
            var cause = failure instanceof CompletionException && failure.getCause() != null
                    ? failure.getCause()
                    : failure;
            return CompletableFuture.failedFuture(cause instanceof TimeoutException
                    ? new ZnodesUnavailable("no answer from ZooKeeper within " + timeout)
                    : cause);
        });
    }

    private static Op op(ZnodeWrite write) {
        return switch (write) {
            case ZnodeWrite.Create create -> Op.create(create.path(), bytes(create.data()), Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT);
            case ZnodeWrite.CreateEphemeral create -> Op.create(create.path(), bytes(create.data()),
                    Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            case ZnodeWrite.CreateSequential create -> Op.create(create.path(), bytes(create.data()),
                    Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL);
            case ZnodeWrite.Set set -> Op.setData(set.path(), bytes(set.data()), set.version());
            case ZnodeWrite.Delete delete -> Op.delete(delete.path(), delete.version());
            case ZnodeWrite.Check check -> Op.check(check.path(), check.version());
        };
    }

    private static List<Written> written(int rc, List<ZnodeWrite> writes, List<OpResult> results)
            throws ZnodesUnavailable {
        if (rc != Code.OK.intValue()) {
            throw refusal(rc, writes, results);
        }
        var written = new ArrayList<Written>(writes.size());
        for (int i = 0; i < writes.size(); i++) {
            var write = writes.get(i);
            written.add(switch (results.get(i)) {
                case CreateResult created -> new Written(sibling(write.path(), created.getPath()), 0);
                case SetDataResult set -> new Written(write.path(), set.getStat().getVersion());
                default -> new Written(write.path(), write instanceof ZnodeWrite.Check check ? check.version() : -1);
            });
        }
        return written;
    }

    /// The name that was given, beside the path that was asked for: multis answer with the chroot in front.
    private static String sibling(String asked, String created) {
        return asked.substring(0, asked.lastIndexOf('/') + 1) + created.substring(created.lastIndexOf('/') + 1);
    }

    /// All results of a refused multi are errors: 0 before the write that failed, inconsistency after it.
    private static RuntimeException refusal(int rc, List<ZnodeWrite> writes, List<OpResult> results)
            throws ZnodesUnavailable {
        if (results != null) {
            for (int i = 0; i < Math.min(writes.size(), results.size()); i++) {
                if (results.get(i) instanceof ErrorResult error && error.getErr() != Code.OK.intValue()
                        && error.getErr() != Code.RUNTIMEINCONSISTENCY.intValue()) {
                    return refusal(error.getErr(), writes.get(i).path());
                }
            }
        }
        return refusal(rc, writes.getFirst().path());
    }

    private static RuntimeException refusal(int rc, String path) throws ZnodesUnavailable {
        var code = Code.get(rc);
        return switch (code) {
            case NONODE -> new ZnodeRefused(Reason.NO_NODE, path);
            case NODEEXISTS -> new ZnodeRefused(Reason.NODE_EXISTS, path);
            case BADVERSION -> new ZnodeRefused(Reason.BAD_VERSION, path);
            case NOTEMPTY -> new ZnodeRefused(Reason.NOT_EMPTY, path);
            case NOAUTH, INVALIDACL, NOCHILDRENFOREPHEMERALS, QUOTAEXCEEDED -> new ZnodeRefused(Reason.FORBIDDEN, path);
            default -> throw new ZnodesUnavailable("ZooKeeper answered " + code + " path=" + path);
        };
    }

    private static <T> T checked(int rc, String path, T value) throws ZnodesUnavailable {
        if (rc != Code.OK.intValue()) {
            throw refusal(rc, path);
        }
        return value;
    }

    /// A multi of reads answers each by itself; its own code is that of the first failure.
    private static List<Optional<Znode>> nodes(int rc, List<String> paths, List<OpResult> results)
            throws ZnodesUnavailable {
        if (results == null || results.size() != paths.size()) {
            throw refusal(rc, paths.getFirst());
        }
        var nodes = new ArrayList<Optional<Znode>>(paths.size());
        for (int i = 0; i < paths.size(); i++) {
            switch (results.get(i)) {
                case GetDataResult found -> nodes.add(Optional.of(node(paths.get(i), found.getData(),
                        found.getStat())));
                case ErrorResult error when error.getErr() == Code.NONODE.intValue() -> nodes.add(Optional.empty());
                case ErrorResult error -> throw refusal(error.getErr(), paths.get(i));
                default -> throw new ZnodesUnavailable("ZooKeeper answered no data path=" + paths.get(i));
            }
        }
        return nodes;
    }

    private static Znode node(String path, byte[] data, Stat stat) {
        return new Znode(path, data == null ? "" : new String(data, UTF_8), stat.getVersion(), stat.getCzxid(),
                stat.getEphemeralOwner());
    }

    private static byte[] bytes(String data) {
        return data.getBytes(UTF_8);
    }
}
