package io.millrace.log.batch;

/// Who made the batches that are appended; decides what is checked.
public enum AppendOrigin {
    /// A producer: everything is checked.
    CLIENT,
    /// A coordinator: control batches are allowed, sequences are not checked.
    COORDINATOR,
    /// The leader of this partition: it has checked, and has assigned the offsets.
    REPLICATION
}
