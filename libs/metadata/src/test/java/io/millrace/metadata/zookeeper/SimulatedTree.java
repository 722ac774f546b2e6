package io.millrace.metadata.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

import io.millrace.metadata.zookeeper.ZnodeRefused.Reason;
import org.jspecify.annotations.Nullable;

/// The tree of a ZooKeeper ensemble, as its leader has it: versions, sequences, ephemeral nodes, multis that are done as a
/// whole or not at all.
final class SimulatedTree {
    private static final char AFTER_SLASH = '/' + 1;

    private final TreeMap<String, Znode> nodes = new TreeMap<>();
    private final TreeMap<String, Integer> sequences = new TreeMap<>();
    private long zxid;

    /// What a multi did, besides what each of its writes returns.
    ///
    /// @param events in the order of the writes
    record Done(List<Written> written, List<ZnodeEvent> events) {}

    private record Before(String path, @Nullable Znode node) {}

    Optional<Znode> read(String path) {
        return Optional.ofNullable(nodes.get(path));
    }

    /// Names, sorted.
    List<String> children(String path) {
        var names = new ArrayList<String>();
        for (var below : nodes.subMap(path + '/', path + AFTER_SLASH).keySet()) {
            if (below.indexOf('/', path.length() + 1) < 0) {
                names.add(below.substring(path.length() + 1));
            }
        }
        return names;
    }

    List<String> ephemeralsOf(long session) {
        return nodes.values().stream().filter(node -> node.ephemeralOwner() == session).map(Znode::path).toList();
    }

    /// @throws ZnodeRefused and nothing is changed
    Done multi(long session, List<ZnodeWrite> writes) {
        zxid++;
        var undo = new ArrayList<Before>();
        var written = new ArrayList<Written>();
        var events = new ArrayList<ZnodeEvent>();
        try {
            for (var write : writes) {
                written.add(apply(session, write, undo, events));
            }
        } catch (ZnodeRefused refused) {
            for (var before : undo.reversed()) {
                restore(before);
            }
            throw refused;
        }
        return new Done(written, events);
    }

    private void restore(Before before) {
        if (before.node() == null) {
            nodes.remove(before.path());
        } else {
            nodes.put(before.path(), before.node());
        }
    }

    private Written apply(long session, ZnodeWrite write, List<Before> undo, List<ZnodeEvent> events) {
        return switch (write) {
            case ZnodeWrite.Create(String path, String data) -> create(path, data, 0, undo, events);
            case ZnodeWrite.CreateEphemeral(String path, String data) -> create(path, data, session, undo, events);
            case ZnodeWrite.CreateSequential(String path, String data) -> create(path + "%010d".formatted(sequences
                    .merge(path, 1, Integer::sum)), data, 0, undo, events);
            case ZnodeWrite.Set(String path, String data, int version) -> {
                var node = existing(path, version);
                undo.add(new Before(path, node));
                nodes.put(path, new Znode(path, data, node.version() + 1, node.czxid(), node.ephemeralOwner()));
                events.add(new ZnodeEvent.Changed(path));
                yield new Written(path, node.version() + 1);
            }
            case ZnodeWrite.Delete(String path, int version) -> {
                var node = existing(path, version);
                if (!children(path).isEmpty()) {
                    throw new ZnodeRefused(Reason.NOT_EMPTY, path);
                }
                undo.add(new Before(path, node));
                nodes.remove(path);
                events.add(new ZnodeEvent.Deleted(path));
                yield new Written(path, -1);
            }
            case ZnodeWrite.Check(String path, int version) -> new Written(path, existing(path, version).version());
        };
    }

    private Znode existing(String path, int version) {
        var node = nodes.get(path);
        if (node == null) {
            throw new ZnodeRefused(Reason.NO_NODE, path);
        }
        if (version != ZnodeWrite.ANY_VERSION && version != node.version()) {
            throw new ZnodeRefused(Reason.BAD_VERSION, path);
        }
        return node;
    }

    private Written create(String path, String data, long owner, List<Before> undo, List<ZnodeEvent> events) {
        if (nodes.containsKey(path)) {
            throw new ZnodeRefused(Reason.NODE_EXISTS, path);
        }
        int parent = path.lastIndexOf('/');
        if (parent > 0 && !nodes.containsKey(path.substring(0, parent))) {
            throw new ZnodeRefused(Reason.NO_NODE, path);
        }
        undo.add(new Before(path, null));
        nodes.put(path, new Znode(path, data, 0, zxid, owner));
        events.add(new ZnodeEvent.Created(path));
        return new Written(path, 0);
    }
}
