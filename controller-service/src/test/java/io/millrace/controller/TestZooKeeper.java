package io.millrace.controller;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.metadata.zookeeper.ZooKeeperConfig;
import org.apache.curator.test.TestingServer;

/// A ZooKeeper server in this process, and sessions with it that end with it.
public final class TestZooKeeper implements AutoCloseable {

    /// How long any answer may take.
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    /// After which the server gives up a session.
    public static final Duration SESSION = Duration.ofSeconds(4);

    private final TestingServer server;
    private final List<Znodes> sessions = new ArrayList<>();

    public TestZooKeeper() {
        try {
            server = new TestingServer(true);
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    /// A session of its own.
    public Znodes connect() {
        try {
            var znodes = Znodes.connect(new ZooKeeperConfig(address(), SESSION, PATIENCE), new SimpleMeterRegistry());
            sessions.add(znodes);
            return znodes;
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    /// `host:port`
    public String address() {
        return server.getConnectString();
    }

    /// Ends the server; sessions and data stay.
    public void stop() throws IOException {
        server.stop();
    }

    /// Starts it again at the same address with the same data.
    public void restart() throws Exception {
        server.restart();
    }

    @Override
    public void close() throws IOException {
        sessions.reversed().forEach(Znodes::close);
        server.close();
    }

    /// What the future holds, within [#PATIENCE].
    public static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }
}
