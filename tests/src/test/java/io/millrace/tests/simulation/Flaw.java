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
    FORGETS_WHEN_KILLED,
    /// A coordinator takes a transaction for ended once one of its partitions has its marker.
    MARKS_ONE_PARTITION,
    /// A coordinator commits what it is asked to abort.
    COMMITS_WHAT_IS_ABORTED,
    /// A coordinator aborts what it is asked to commit, and says that it is committed.
    ABORTS_WHAT_IS_COMMITTED,
    /// A broker shows readers of committed records all that is replicated.
    SHOWS_WHAT_IS_OPEN,
    /// A broker appends a transaction's record once more, as another one.
    APPENDS_TWICE;

    boolean isOfTransactions() {
        return switch (this) {
            case MARKS_ONE_PARTITION, COMMITS_WHAT_IS_ABORTED, ABORTS_WHAT_IS_COMMITTED, SHOWS_WHAT_IS_OPEN,
                    APPENDS_TWICE ->
                true;
            default -> false;
        };
    }
}
