package io.millrace.standalone.zookeeper;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;

import lombok.extern.slf4j.Slf4j;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/// A ZooKeeper server that keeps its data under a folder.
@Slf4j
public final class EmbeddedZooKeeper implements AutoCloseable {

    /// Sessions last from 2 to 20 ticks: 2 s to 60 s, see `maxSessionTimeout`.
    private static final String TICK_MILLIS = "1000";
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    private final ZooKeeperServerEmbedded server;

    private EmbeddedZooKeeper(ZooKeeperServerEmbedded server) {
        this.server = server;
    }

    /// Starts a server; it answers clients when this returns.
    ///
    /// @param address where it listens, and nowhere else
    /// @param data its folder, made where it does not exist
    /// @throws Exception if the port is taken or the data cannot be read; nothing runs then
    public static EmbeddedZooKeeper start(InetSocketAddress address, Path data) throws Exception {
        Files.createDirectories(data);
        removeOldConfigurations(data);
        requireFree(address);
        ZooKeeperServerEmbedded server = ZooKeeperServerEmbedded.builder().baseDir(data)
                .configuration(configuration(address)).exitHandler(ExitHandler.LOG_ONLY).build();
        try {
            server.start(START_LIMIT.toMillis());
        } catch (Exception e) {
            server.close();
            throw e;
        }
        log.info("ZooKeeper serves address={} data={}", address, data);
        return new EmbeddedZooKeeper(server);
    }

    /// ZooKeeper writes its configuration to a new file at each start, and leaves it.
    private static void removeOldConfigurations(Path data) throws IOException {
        try (var files = Files.newDirectoryStream(data, "zookeeper.configuration*.properties")) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    /// ZooKeeper itself would only notice that it does not come up in time.
    private static void requireFree(InetSocketAddress address) throws IOException {
        try (var socket = new ServerSocket()) {
            socket.bind(address);
        } catch (BindException e) {
            throw new BindException("ZooKeeper's address " + address + " is in use");
        }
    }

    private static Properties configuration(InetSocketAddress address) {
        var configuration = new Properties();
        configuration.setProperty("clientPortAddress", address.getHostString());
        configuration.setProperty("clientPort", String.valueOf(address.getPort()));
        configuration.setProperty("tickTime", TICK_MILLIS);
        configuration.setProperty("maxSessionTimeout", "60000");
        configuration.setProperty("maxClientCnxns", "0");
        configuration.setProperty("admin.enableServer", "false");
        configuration.setProperty("4lw.commands.whitelist", "srvr,ruok,mntr,stat,conf");
        configuration.setProperty("autopurge.snapRetainCount", "3");
        configuration.setProperty("autopurge.purgeInterval", "1");
        return configuration;
    }

    /// Stops serving; the data stay.
    @Override
    public void close() {
        server.close();
        log.info("ZooKeeper stopped");
    }
}
