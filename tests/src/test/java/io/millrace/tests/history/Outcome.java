package io.millrace.tests.history;

/// What the client of a transaction knows of its end.
public enum Outcome {
    /// It was told that it is committed.
    COMMITTED,
    /// It never asked for a commit, or was fenced before it did.
    ABORTED,
    /// It asked for a commit and was not told how that ended.
    UNKNOWN
}
