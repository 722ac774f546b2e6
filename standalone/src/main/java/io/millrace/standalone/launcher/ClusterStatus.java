package io.millrace.standalone.launcher;

import java.util.List;

import org.jspecify.annotations.Nullable;

/// What `status --json` prints.
///
/// @param bootstrap the brokers, for clients
/// @param admin address of the admin API
/// @param zookeeper ZooKeeper's connect string
record ClusterStatus(String bootstrap, String admin, String zookeeper, String mode, String data,
        List<ServiceStatus> services) {

    /// One instance.
    ///
    /// @param pid null while no process holds it
    /// @param kafka `host:port` of the Kafka protocol; null where it does not speak it
    /// @param http address of its health, metrics and REST; null for ZooKeeper
    /// @param state `ready`; `unready`: runs, and does not call itself ready; `stopped`: held by a STOP signal; `down`
    record ServiceStatus(String role, int id, @Nullable Long pid, @Nullable String kafka, @Nullable String http,
            String state) {}
}
