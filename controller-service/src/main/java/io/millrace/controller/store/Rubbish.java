package io.millrace.controller.store;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.millrace.metadata.znode.MalformedZnode;
import io.millrace.metadata.zookeeper.Znode;
import lombok.extern.slf4j.Slf4j;

/// Znodes that make no sense: one warning each, and everything else goes on. Callable from any thread.
@Slf4j
final class Rubbish {
    /// Beyond this many the log says enough already, and the memory of them must not grow for ever.
    private static final int MAX_REMEMBERED = 10_000;

    private final Map<String, Seen> seen = new ConcurrentHashMap<>();

    private record Seen(long czxid, int version) {}

    /// What `znode` says; empty where it cannot be read.
    <T> Optional<T> read(Znode znode, Function<String, T> parser) {
        try {
            return Optional.of(parser.apply(znode.data()));
        } catch (MalformedZnode malformed) {
            warn(znode, String.valueOf(malformed.getMessage()));
            return Optional.empty();
        }
    }

    /// Says once what is wrong with that version of a node.
    void warn(Znode znode, String problem) {
        var now = new Seen(znode.czxid(), znode.version());
        if (seen.size() < MAX_REMEMBERED && !now.equals(seen.put(znode.path(), now))) {
            log.warn("znode is ignored path={} version={} problem={}", znode.path(), znode.version(), problem);
        }
    }
}
