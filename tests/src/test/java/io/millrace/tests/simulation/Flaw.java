package io.millrace.tests.simulation;

/// A mistake that is put into a cluster on purpose, to see that the simulation finds it.
enum Flaw {
    NONE,
    /// A producer is promised its record before the in-sync replicas have it.
    PROMISES_EARLY,
    /// A leader acts on the ISR that it proposed before the controller has agreed.
    ACTS_ON_PROPOSALS,
    /// A follower cuts its log at its high watermark, as Kafka did before KIP-101.
    TRUNCATES_TO_HIGH_WATERMARK,
    /// Followers are not told where their history parts from the leader's.
    DIVERGES_UNSEEN,
    /// A controller does not look at the leader epoch of proposals, and agrees with leaders that were replaced.
    AGREES_WITH_FORMER_LEADERS,
    /// What was written is gone whenever a process is killed.
    FORGETS_WHEN_KILLED
}
