package io.millrace.metadata.image;

/// What a node is in the cluster. Brokers and coordinators share one space of ids; the other two have their own.
public enum Role {
    CONTROLLER, BROKER, COORDINATOR, ADMIN
}
