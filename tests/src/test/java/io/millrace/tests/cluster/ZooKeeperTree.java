package io.millrace.tests.cluster;

import java.io.IOException;
import java.time.Duration;

import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/// What is in a cluster's ZooKeeper, for a look and for what old tools do.
final class ZooKeeperTree implements AutoCloseable {

    /// The sessions of the services of a cluster on one machine.
    static final Duration SESSION = Duration.ofSeconds(6);

    private static final int OWN_SESSION_MILLIS = 60_000;

    private final ZooKeeper client;

    /// @param connect HOST:PORT
    ZooKeeperTree(String connect) {
        try {
            client = new ZooKeeper(connect, OWN_SESSION_MILLIS, _ -> {});
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// The transaction in which that node was made.
    long created(String path) {
        try {
            var stat = client.exists(path, false);
            if (stat == null) {
                throw new AssertionError(path + " is not there");
            }
            return stat.getCzxid();
        } catch (KeeperException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Writes a node with the data that it has: only its version is another one.
    void writeTheSame(String path) {
        try {
            var stat = new Stat();
            client.setData(path, client.getData(path, false, stat), stat.getVersion());
        } catch (KeeperException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
