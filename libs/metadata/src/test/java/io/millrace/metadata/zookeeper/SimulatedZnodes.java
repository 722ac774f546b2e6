package io.millrace.metadata.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.millrace.base.loop.Deadline;
import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.base.simulation.SimulatedConnection;
import io.millrace.base.simulation.SimulatedNetwork;
import io.millrace.base.simulation.SimulatedProcess;
import io.millrace.metadata.zookeeper.ZnodeRefused.Reason;
import org.jspecify.annotations.Nullable;

/// One process's client of a [SimulatedZooKeeper]. It loses its connection and its session as the real one does, and does
/// not know what became of a write whose answer was lost.
final class SimulatedZnodes implements Znodes {
    private static final Duration RETRY = Duration.ofMillis(100);
    private static final int CREATE_ATTEMPTS = 5;

    private final SimulatedZooKeeper server;
    private final SimulatedNetwork network;
    private final SimulatedProcess process;
    private final Duration timeout;
    private final RandomGenerator random;
    private final Ticker ticker;
    private final List<Consumer<SessionState>> sessionListeners = new ArrayList<>();
    private final Map<Integer, Watched> watches = new LinkedHashMap<>();
    private final Map<Integer, CompletableFuture<?>> inFlight = new LinkedHashMap<>();
    private final Set<Long> ours = new LinkedHashSet<>();
    private SessionState state = SessionState.SUSPENDED;
    private @Nullable SimulatedConnection connection;
    private long session;
    private long heardNanos;
    private int lastWatch;
    private int lastRequest;
    private boolean closed;

    private record Watched(String path, Consumer<ZnodeEvent> listener) {}

    SimulatedZnodes(SimulatedZooKeeper server, SimulatedNetwork network, SimulatedProcess process, Duration timeout,
            RandomGenerator random, Ticker ticker) {
        this.server = server;
        this.network = network;
        this.process = process;
        this.timeout = timeout;
        this.random = random;
        this.ticker = ticker;
        heardNanos = ticker.nanos();
        connect();
        ping();
    }

    private void connect() {
        if (closed) {
            return;
        }
        var opened = new SimulatedConnection[1];
        var made = network.connect(process, SimulatedZooKeeper.HOST, () -> disconnected(opened[0]));
        opened[0] = made;
        connection = made;
        long wanted = session;
        made.up(() -> {
            long id = server.attach(wanted, timeout, made, this::happened);
            made.down(() -> attached(made, wanted, id));
        });
        process.schedule(timeout.dividedBy(3), () -> {
            if (connection == made && state != SessionState.CONNECTED) {
                made.close();
                disconnected(made);
            }
        });
    }

    private void attached(SimulatedConnection to, long wanted, long id) {
        if (to != connection) {
            return;
        }
        heardNanos = ticker.nanos();
        if (id == 0) {
            if (wanted == session) {
                lost();
            }
            to.close();
            disconnected(to);
            return;
        }
        if (wanted != session) {
            // Given up meanwhile: that session ends by itself.
            return;
        }
        session = id;
        ours.add(id);
        watches.values().forEach(this::arm);
        become(SessionState.CONNECTED);
    }

    private void arm(Watched watched) {
        var now = connection;
        long id = session;
        if (now != null) {
            now.up(() -> {
                server.watch(id, watched.path());
                now.down(() -> watched.listener().accept(new ZnodeEvent.Reset(watched.path())));
            });
        }
    }

    private void lost() {
        session = 0;
        become(SessionState.LOST);
    }

    private void disconnected(SimulatedConnection which) {
        if (which != connection || closed) {
            return;
        }
        connection = null;
        if (state == SessionState.CONNECTED) {
            become(SessionState.SUSPENDED);
        }
        List.copyOf(inFlight.values()).forEach(request -> request.completeExceptionally(new ZnodesUnavailable(
                "connection lost")));
        process.schedule(RETRY, this::connect);
    }

    /// Says that this one is alive, and notices when nothing comes back.
    private void ping() {
        if (closed) {
            return;
        }
        var now = connection;
        var silent = ticker.since(heardNanos);
        if (now != null && state == SessionState.CONNECTED) {
            long id = session;
            now.up(() -> {
                server.heard(id);
                now.down(() -> heardNanos = ticker.nanos());
            });
            if (silent.compareTo(timeout.multipliedBy(2).dividedBy(3)) > 0) {
                now.close();
                disconnected(now);
            }
        } else if (state == SessionState.SUSPENDED && session != 0 && silent.compareTo(timeout) > 0) {
            // As Curator does: after that time the ensemble has given it up, whether it says so or not.
            lost();
            if (now != null) {
                now.close();
                disconnected(now);
            }
        }
        process.schedule(timeout.dividedBy(4), this::ping);
    }

    private void become(SessionState next) {
        state = next;
        List.copyOf(sessionListeners).forEach(listener -> listener.accept(next));
    }

    private void happened(ZnodeEvent event) {
        var path = switch (event) {
            case ZnodeEvent.Created(String at) -> at;
            case ZnodeEvent.Changed(String at) -> at;
            case ZnodeEvent.Deleted(String at) -> at;
            case ZnodeEvent.Reset(String at) -> at;
        };
        List.copyOf(watches.values()).forEach(watched -> {
            if (path.equals(watched.path()) || path.startsWith(watched.path() + "/")) {
                watched.listener().accept(event);
            }
        });
    }

    /// @param work at the ensemble, given the session
    private <T> CompletableFuture<T> request(LongFunction<T> work) {
        var now = connection;
        if (now == null || state != SessionState.CONNECTED) {
            return CompletableFuture.failedFuture(new ZnodesUnavailable("not connected"));
        }
        var answer = new CompletableFuture<T>();
        int number = ++lastRequest;
        inFlight.put(number, answer);
        var deadline = process.schedule(timeout, () -> answer.completeExceptionally(new ZnodesUnavailable(
                "no answer")));
        answer.whenComplete((_, _) -> {
            deadline.cancel();
            inFlight.remove(number);
        });
        long id = session;
        now.up(() -> {
            server.heard(id);
            T result;
            try {
                result = work.apply(id);
            } catch (ZnodeRefused refused) {
                now.down(() -> answer.completeExceptionally(refused));
                return;
            }
            now.down(() -> answer.complete(result));
        });
        return answer;
    }

    private <T> CompletableFuture<T> retried(Supplier<CompletableFuture<T>> read) {
        return retried(read, Deadline.in(timeout, ticker));
    }

    private <T> CompletableFuture<T> retried(Supplier<CompletableFuture<T>> read, Deadline deadline) {
        return read.get().exceptionallyCompose(failure -> {
            if (Failure.reason(failure) != null || deadline.passed()) {
                return CompletableFuture.failedFuture(Failure.cause(failure));
            }
            var later = new CompletableFuture<T>();
            process.schedule(RETRY, () -> retried(read, deadline).whenComplete((result, again) -> {
                if (again == null) {
                    later.complete(result);
                } else {
                    later.completeExceptionally(Failure.cause(again));
                }
            }));
            return later;
        });
    }

    @Override
    public CompletableFuture<Optional<Znode>> read(String path) {
        return retried(() -> request(_ -> server.read(path)));
    }

    /// In two requests, between which others write.
    @Override
    public CompletableFuture<List<Optional<Znode>>> readAll(List<String> paths) {
        int cut = paths.isEmpty() ? 0 : random.nextInt(paths.size());
        return readTogether(paths.subList(0, cut)).thenCombine(readTogether(paths.subList(cut, paths.size())), (first,
                second) -> {
            var all = new ArrayList<>(first);
            all.addAll(second);
            return all;
        });
    }

    private CompletableFuture<List<Optional<Znode>>> readTogether(List<String> paths) {
        return paths.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : retried(() -> request(_ -> paths.stream().map(server::read).toList()));
    }

    @Override
    public CompletableFuture<List<String>> children(String path) {
        return retried(() -> request(_ -> server.children(path)));
    }

    @Override
    public CompletableFuture<List<Written>> multi(List<ZnodeWrite> writes) {
        return writes.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : request(id -> server.multi(id, writes));
    }

    @Override
    public CompletableFuture<List<Written>> guarded(int epochVersion, List<ZnodeWrite> writes) {
        var all = new ArrayList<ZnodeWrite>();
        all.add(new ZnodeWrite.Check("/controller_epoch", epochVersion));
        all.addAll(writes);
        return multi(all).thenApply(written -> written.subList(1, written.size()))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(Failure.cause(
                        failure) instanceof ZnodeRefused refused && refused.path().equals("/controller_epoch")
                                ? new Deposed(epochVersion)
                                : Failure.cause(failure)));
    }

    @Override
    public CompletableFuture<Void> ensure(String path) {
        int parent = path.lastIndexOf('/');
        var above = parent > 0
                ? ensure(path.substring(0, parent))
                : CompletableFuture.<Void>completedFuture(null);
        return above.thenCompose(_ -> create(path, "")).handle((_, failure) -> failure)
                .thenCompose(failure -> failure == null || Failure.reason(failure) == Reason.NODE_EXISTS
                        ? CompletableFuture.<Void>completedFuture(null)
                        : CompletableFuture.<Void>failedFuture(Failure.cause(failure)));
    }

    @Override
    public CompletableFuture<Znode> createEphemeral(String path, String data) {
        return createEphemeral(path, data, CREATE_ATTEMPTS);
    }

    private CompletableFuture<Znode> createEphemeral(String path, String data, int attempts) {
        return request(id -> {
            server.multi(id, List.of(new ZnodeWrite.CreateEphemeral(path, data)));
            return server.read(path).orElseThrow();
        }).exceptionallyCompose(failure -> Failure.reason(failure) == Reason.NODE_EXISTS && attempts > 1
                ? replaceOurs(path, data, attempts)
                : CompletableFuture.failedFuture(Failure.cause(failure)));
    }

    private CompletableFuture<Znode> replaceOurs(String path, String data, int attempts) {
        return read(path).thenCompose(found -> {
            if (found.isPresent() && found.get().ephemeralOwner() == session && found.get().data().equals(data)) {
                return CompletableFuture.completedFuture(found.get());
            }
            if (found.isPresent() && !ours.contains(found.get().ephemeralOwner())) {
                return CompletableFuture.failedFuture(new ZnodeRefused(Reason.NODE_EXISTS, path));
            }
            var gone = found.isEmpty()
                    ? CompletableFuture.<Object>completedFuture(null)
                    : delete(path, found.get().version()).<Object>handle((_, _) -> null);
            return gone.thenCompose(_ -> createEphemeral(path, data, attempts - 1));
        });
    }

    @Override
    public CompletableFuture<Void> deleteTree(String path) {
        return new TreeRemoval(this).remove(path);
    }

    @Override
    public Watch watch(String path, Loop loop, Consumer<ZnodeEvent> listener) {
        int number = ++lastWatch;
        var watched = new Watched(path, listener);
        watches.put(number, watched);
        if (state == SessionState.CONNECTED) {
            arm(watched);
        }
        return () -> watches.remove(number);
    }

    @Override
    public Watch session(Loop loop, Consumer<SessionState> listener) {
        sessionListeners.add(listener);
        loop.execute(() -> listener.accept(state));
        return () -> sessionListeners.remove(listener);
    }

    @Override
    public SessionState state() {
        return state;
    }

    @Override
    public void close() {
        closed = true;
        var now = connection;
        if (now != null) {
            long id = session;
            now.up(() -> {
                server.end(id);
                now.closeThere();
            });
        }
        become(SessionState.LOST);
    }
}
