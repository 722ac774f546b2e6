package io.millrace.metadata.zookeeper;

import java.time.Duration;

import io.millrace.base.check.Check;

/// How to reach ZooKeeper.
///
/// @param connect `host:port[,host:port]…[/chroot]`; hosts are resolved anew at each connect
/// @param sessionTimeout after which the ensemble drops the ephemeral nodes of a client that is silent
/// @param connectionTimeout how long connecting waits for the first session
public record ZooKeeperConfig(String connect, Duration sessionTimeout, Duration connectionTimeout) {
    public ZooKeeperConfig {
        Check.argument(!connect.isBlank() && !connect.startsWith("/"), "zookeeper.connect=\"%s\" names no host",
                connect);
        Check.argument(sessionTimeout.isPositive() && connectionTimeout.isPositive(),
                "zookeeper timeouts of %s and %s", sessionTimeout, connectionTimeout);
    }

    /// The hosts, without the chroot.
    public String hosts() {
        int slash = connect.indexOf('/');
        return slash < 0 ? connect : connect.substring(0, slash);
    }

    /// The path under which everything lives; empty for the root.
    public String chroot() {
        int slash = connect.indexOf('/');
        var path = slash < 0 ? "" : connect.substring(slash);
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
