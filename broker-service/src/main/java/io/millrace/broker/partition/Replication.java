package io.millrace.broker.partition;

/// How far an appended batch has come that must be on all in-sync replicas.
public enum Replication {
    DONE, PENDING
}
