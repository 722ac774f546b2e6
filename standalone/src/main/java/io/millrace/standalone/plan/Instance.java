package io.millrace.standalone.plan;

import org.jspecify.annotations.Nullable;

/// One instance of a role.
///
/// @param port the port of its main protocol: Kafka's for brokers and coordinators, the metadata stream's for controllers,
/// the client port of ZooKeeper; null for the admin API, which speaks HTTP alone
/// @param httpPort the port of REST and actuator; null for ZooKeeper
public record Instance(Role role, int id, @Nullable Integer port, @Nullable Integer httpPort) {

    /// Name of its process, its log and its data folder in cluster mode: `broker-0`.
    public String name() {
        return role.label() + "-" + id;
    }

    /// As people say it: `broker 0`.
    public String words() {
        return role.label() + " " + id;
    }

    /// Whether it speaks the Kafka protocol.
    public boolean speaksKafka() {
        return role == Role.BROKER || role == Role.COORDINATOR;
    }
}
