package io.millrace.metadata.zookeeper;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.millrace.base.loop.Deadline;
import lombok.extern.slf4j.Slf4j;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.SessionConnectionStateErrorPolicy;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/// Sets up Curator and waits for its first session.
@Slf4j
final class Connector {
    /// How often the log says what is being waited for.
    private static final Duration REMINDER = Duration.ofSeconds(5);
    /// One answer may hold as many nodes as one multi reads, each of which may be a mebibyte large.
    private static final String MAX_ANSWER_BYTES = Integer.toString(512 << 20);
    /// The most that Curator allows.
    private static final int RETRIES = 29;
    private static final int RETRY_FIRST_MILLIS = 100;
    private static final int RETRY_MOST_MILLIS = 3_000;

    private Connector() {}

    /// @param held always the client that Curator uses at that time
    static CuratorFramework client(ZooKeeperConfig config, String connect, AtomicReference<ZooKeeper> held) {
        var clientConfig = new ZKClientConfig();
        clientConfig.setProperty("jute.maxbuffer", MAX_ANSWER_BYTES);
        return CuratorFrameworkFactory.builder()
                .connectString(connect)
                .sessionTimeoutMs(Math.toIntExact(config.sessionTimeout().toMillis()))
                .connectionTimeoutMs(Math.toIntExact(
                        Math.min(config.connectionTimeout().toMillis(), config.sessionTimeout().toMillis())))
                .retryPolicy(new ExponentialBackoffRetry(RETRY_FIRST_MILLIS, RETRIES, RETRY_MOST_MILLIS))
                // A suspended session is not lost: its ephemeral nodes live on.
                .connectionStateErrorPolicy(new SessionConnectionStateErrorPolicy())
                // The ensemble's own list of hosts may hold addresses that are not reachable from here.
                .ensembleTracker(false)
                .zkClientConfig(clientConfig)
                .zookeeperFactory(new Capturing(held))
                .build();
    }

    /// Starts `curator` and waits for its session; closes it where there is none in time.
    static void start(CuratorFramework curator, ZooKeeperConfig config, Deadline deadline) throws ZnodesUnavailable,
            InterruptedException {
        curator.start();
        boolean connected = false;
        try {
            var wait = Duration.ofSeconds(1);
            while (!connected) {
                long millis = Math.min(wait.toMillis(), deadline.remaining().toMillis());
                connected = curator.blockUntilConnected(Math.toIntExact(millis), TimeUnit.MILLISECONDS);
                if (!connected && deadline.passed()) {
                    throw new ZnodesUnavailable("no session with ZooKeeper at " + config.hosts() + " within "
                            + config.connectionTimeout());
                }
                if (!connected) {
                    log.info("waiting for ZooKeeper connect={} remainingMs={}", config.hosts(),
                            deadline.remaining().toMillis());
                }
                wait = REMINDER;
            }
        } finally {
            if (!connected) {
                curator.close();
            }
        }
    }

    /// Creates the path under which everything lives, which a client that lives under it cannot.
    static void ensureChroot(ZooKeeperConfig config, Deadline deadline) throws ZnodesUnavailable, InterruptedException {
        if (config.chroot().isEmpty()) {
            return;
        }
        var curator = client(config, config.hosts(), new AtomicReference<>());
        start(curator, config, deadline);
        try (curator) {
            curator.create().creatingParentsIfNeeded().forPath(config.chroot(), new byte[0]);
            log.info("created the chroot path={}", config.chroot());
        } catch (NodeExistsException _) {
            log.debug("chroot path={} is there", config.chroot());
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception failure) {
            throw new ZnodesUnavailable("chroot " + config.chroot() + " could not be created: " + failure);
        }
    }

    /// Curator makes a new client for each session; this one keeps hold of the newest.
    private record Capturing(AtomicReference<ZooKeeper> held) implements ZookeeperFactory {
        @Override
        public ZooKeeper newZooKeeper(String connect, int sessionTimeout, Watcher watcher, boolean readOnly)
                throws Exception {
            return newZooKeeper(connect, sessionTimeout, watcher, readOnly, new ZKClientConfig());
        }

        @Override
        public ZooKeeper newZooKeeper(String connect, int sessionTimeout, Watcher watcher, boolean readOnly,
                ZKClientConfig config) throws Exception {
            var client = new ZooKeeper(connect, sessionTimeout, watcher, readOnly, config);
            held.set(client);
            return client;
        }
    }
}
