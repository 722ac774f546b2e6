package io.millrace.metadata.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.millrace.base.simulation.SimulatedConnection;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.base.simulation.SimulatedNetwork;
import io.millrace.base.simulation.SimulatedProcess;

/// A ZooKeeper ensemble as its clients see it: one order of all writes, sessions that expire unless they are heard of,
/// watches that tell before an answer does. All of it is one process on the simulated network, which can be stopped.
public final class SimulatedZooKeeper {
    /// The ensemble's name in the network.
    public static final String HOST = "zookeeper";

    private final SimulatedTree tree = new SimulatedTree();
    private final TreeMap<Long, Session> sessions = new TreeMap<>();
    private final SimulatedLoop loop;
    private final SimulatedNetwork network;
    private final SimulatedProcess process;
    private Consumer<String> onChange = _ -> {};
    private long lastSession;

    private static final class Session {
        private final long id;
        private final Duration timeout;
        private final List<String> watched = new ArrayList<>();
        private SimulatedConnection connection;
        private Consumer<ZnodeEvent> listener;
        private long heardNanos;

        Session(long id, Duration timeout, SimulatedConnection connection, Consumer<ZnodeEvent> listener) {
            this.id = id;
            this.timeout = timeout;
            this.connection = connection;
            this.listener = listener;
        }
    }

    public SimulatedZooKeeper(SimulatedLoop loop, SimulatedNetwork network) {
        this.loop = loop;
        this.network = network;
        process = new SimulatedProcess(HOST, loop);
        network.listen(process);
    }

    /// A client for one life of a process.
    public Znodes client(SimulatedProcess of, Duration sessionTimeout, RandomGenerator random) {
        return new SimulatedZnodes(this, network, of, sessionTimeout, random, loop.ticker());
    }

    /// Tells `listener` the path of every node that was changed, once the whole multi was done.
    public void onChange(Consumer<String> listener) {
        onChange = listener;
    }

    /// The ensemble answers nobody until [#resume].
    public void stop() {
        process.stop();
    }

    /// It answers again. No session ended meanwhile: whoever leads it begins to count anew.
    public void resume() {
        sessions.values().forEach(this::heard);
        process.resume();
    }

    /// The session that owns the node at `path` ends, if there is one.
    public void expireOwnerOf(String path) {
        tree.read(path).map(node -> sessions.get(node.ephemeralOwner())).ifPresent(this::expire);
    }

    /// All sessions end at once.
    public void expireAll() {
        List.copyOf(sessions.values()).forEach(this::expire);
    }

    /// What is there now.
    public Optional<Znode> read(String path) {
        return tree.read(path);
    }

    /// The names below `path` now, sorted.
    public List<String> children(String path) {
        return tree.children(path);
    }

    /// Writes as an old tool does, without a session of the cluster's.
    public void write(List<ZnodeWrite> writes) {
        announce(tree.multi(0, writes));
    }

    // The rest is called by clients' messages, on the ensemble's loop.

    /// @param wanted 0 for a new one
    /// @return the session's id; 0 where the wanted one is over
    long attach(long wanted, Duration timeout, SimulatedConnection connection, Consumer<ZnodeEvent> listener) {
        var session = sessions.get(wanted);
        if (wanted != 0 && session == null) {
            return 0;
        }
        if (session == null) {
            session = new Session(++lastSession, timeout, connection, listener);
            sessions.put(session.id, session);
            heard(session);
            expireUnlessHeard(session);
        } else {
            session.connection.closeThere();
            session.connection = connection;
            session.listener = listener;
            session.watched.clear();
            heard(session);
        }
        return session.id;
    }

    void heard(long session) {
        var known = sessions.get(session);
        if (known != null) {
            heard(known);
        }
    }

    private void heard(Session session) {
        session.heardNanos = loop.ticker().nanos();
    }

    private void expireUnlessHeard(Session session) {
        var left = session.timeout.minus(loop.ticker().since(session.heardNanos));
        if (left.isPositive()) {
            process.schedule(left, () -> expireUnlessHeard(session));
        } else if (sessions.containsKey(session.id)) {
            expire(session);
        }
    }

    private void expire(Session session) {
        end(session.id);
        session.connection.closeThere();
    }

    /// The session is over: its ephemeral nodes go.
    void end(long session) {
        if (sessions.remove(session) != null) {
            tree.ephemeralsOf(session).forEach(path -> announce(tree.multi(0, List.of(new ZnodeWrite.Delete(path,
                    ZnodeWrite.ANY_VERSION)))));
        }
    }

    void watch(long session, String path) {
        var known = sessions.get(session);
        if (known != null) {
            known.watched.add(path);
        }
    }

    /// @throws ZnodeRefused where nothing was written
    List<Written> multi(long session, List<ZnodeWrite> writes) {
        if (!sessions.containsKey(session)) {
            throw new IllegalStateException("a request of a session that is over");
        }
        var done = tree.multi(session, writes);
        announce(done);
        return done.written();
    }

    /// Reads whatever `read` looks at, unless the session is over.
    <T> T read(long session, Supplier<T> read) {
        heard(session);
        return read.get();
    }

    private void announce(SimulatedTree.Done done) {
        for (var event : done.events()) {
            var path = switch (event) {
                case ZnodeEvent.Created(String at) -> at;
                case ZnodeEvent.Changed(String at) -> at;
                case ZnodeEvent.Deleted(String at) -> at;
                case ZnodeEvent.Reset(String at) -> at;
            };
            onChange.accept(path);
            for (var session : sessions.values()) {
                if (session.watched.stream().anyMatch(watched -> path.equals(watched) || path.startsWith(watched
                        + "/"))) {
                    var listener = session.listener;
                    session.connection.down(() -> listener.accept(event));
                }
            }
        }
    }
}
