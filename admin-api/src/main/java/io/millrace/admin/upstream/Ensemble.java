package io.millrace.admin.upstream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// The servers of ZooKeeper, by their four-letter words: `srvr`, which each answers unless it is forbidden to, and `mntr`, which
/// it must be allowed to. Thread-safe.
@Slf4j
public final class Ensemble {
    private static final int PORT = 2181;
    private static final int LARGEST_ANSWER = 64 << 10;

    private final List<InetSocketAddress> servers;
    private final Duration patience;

    /// A server. What it does not say is null.
    ///
    /// @param server its address
    /// @param mode `LEADER`, `FOLLOWER`, `OBSERVER` or `STANDALONE`
    /// @param outstanding requests that it has in hand
    /// @param problem why nothing is known of it; null where something is
    public record Member(String server, @Nullable String mode, @Nullable String zxid, @Nullable String version,
            @Nullable Double avgLatencyMs, @Nullable Double maxLatencyMs, @Nullable Long outstanding,
            @Nullable Long connections, @Nullable Long watches, @Nullable Long znodes, @Nullable String problem) {}

    /// @param connect as `zookeeper.connect` has it, with a chroot or without
    /// @param patience for each server
    public Ensemble(String connect, Duration patience) {
        int slash = connect.indexOf('/');
        servers = Arrays.stream((slash < 0 ? connect : connect.substring(0, slash)).split(",", -1)).map(String::strip)
                .filter(text -> !text.isEmpty()).map(Ensemble::address).toList();
        this.patience = patience;
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return colon < 0 || text.endsWith("]")
                ? InetSocketAddress.createUnresolved(text, PORT)
                : InetSocketAddress.createUnresolved(text.substring(0, colon), Integer.parseInt(text.substring(colon
                        + 1)));
    }

    /// Asks all of them at once.
    public List<Member> ask() {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Member>> asked = servers.stream().map(server -> threads.submit(
                    (Callable<Member>) () -> member(server))).toList();
            return asked.stream().map(Ensemble::join).toList();
        }
    }

    private static Member join(Future<Member> member) {
        try {
            return member.get();
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private Member member(InetSocketAddress server) {
        var name = server.getHostString() + ":" + server.getPort();
        try {
            var said = pairs(word(server, "srvr"), ":");
            if (!said.containsKey("Mode")) {
                return new Member(name, null, null, null, null, null, null, null, null, null,
                        "it does not answer srvr; 4lw.commands.whitelist allows it");
            }
            var more = pairs(word(server, "mntr"), "\t");
            var latency = said.getOrDefault("Latency min/avg/max", "").split("/", 4);
            return new Member(name, said.getOrDefault("Mode", "").toUpperCase(java.util.Locale.ROOT), said.get("Zxid"),
                    said.get("Zookeeper version"), latency.length == 3 ? real(latency[1]) : null, latency.length == 3
                            ? real(latency[2])
                            : null, whole(said.get("Outstanding")), whole(said.get("Connections")), whole(more.get(
                                    "zk_watch_count")), whole(said.get("Node count")), null);
        } catch (IOException silent) {
            log.debug("event=zookeeper-silent server={} cause=\"{}\"", name, silent.toString());
            return new Member(name, null, null, null, null, null, null, null, null, null, "it does not answer: "
                    + silent
                            .getMessage());
        }
    }

    private String word(InetSocketAddress server, String word) throws IOException {
        int millis = Math.toIntExact(patience.toMillis());
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(server.getHostString(), server.getPort()), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readNBytes(LARGEST_ANSWER), StandardCharsets.UTF_8);
        }
    }

    private static Map<String, String> pairs(String text, String between) {
        var pairs = new HashMap<String, String>();
        text.lines().forEach(line -> {
            int at = line.indexOf(between);
            if (at > 0) {
                pairs.put(line.substring(0, at).strip(), line.substring(at + 1).strip());
            }
        });
        return pairs;
    }

    private static @Nullable Long whole(@Nullable String text) {
        return text != null && text.matches("\\d{1,18}") ? Long.valueOf(text) : null;
    }

    private static @Nullable Double real(String text) {
        return text.matches("\\d{1,12}(\\.\\d+)?") ? Double.valueOf(text) : null;
    }
}
