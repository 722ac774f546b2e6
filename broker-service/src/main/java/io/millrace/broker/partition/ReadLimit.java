package io.millrace.broker.partition;

/// How far a reader may see.
public enum ReadLimit {
    /// Everything: replicas.
    LOG_END,
    /// What is replicated: consumers.
    HIGH_WATERMARK,
    /// What is replicated and of no open transaction: consumers that read committed records only.
    LAST_STABLE
}
