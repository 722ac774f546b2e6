package io.millrace.tests.load;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;

/// What clients complained of, and how often. Faults explain that they tried in vain for too long, that they were fenced or had to
/// abort, and that a member of a group was given up; whatever else it is tells of a cluster that lost its way.
final class Complaints {
    private static final String RETRIABLE = "in vain: ";
    private static final List<String> EXPLAINED = List.of(RETRIABLE, "ProducerFencedException",
            "InvalidProducerEpochException", "TransactionAbortableException", "UnknownMemberIdException",
            "IllegalGenerationException", "CommitFailedException",
            // Of Kafka's client itself: see docs/faults.md. What a cluster must not say is a violation in the simulator.
            "InvalidTxnStateException",
            // Records whose time was up before they were acknowledged.
            "KafkaException: The client hasn't received acknowledgment for some previously sent messages");

    private final Map<String, Integer> times = new TreeMap<>();

    /// @param step that failed
    synchronized void add(String who, String step, KafkaException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        times.merge(who + " " + step + " " + kind(cause), 1, Integer::sum);
    }

    /// By who, at which step, and what.
    synchronized Map<String, Integer> all() {
        return Map.copyOf(times);
    }

    private static String kind(Throwable cause) {
        var name = cause.getClass().getSimpleName();
        return switch (cause) {
            case RetriableException _ -> RETRIABLE + name;
            case KafkaException plain when plain.getClass() == KafkaException.class -> name + ": " + plain.getMessage();
            default -> name;
        };
    }

    /// Whether faults explain one of [#all].
    static boolean isExplained(String complaint) {
        var kind = complaint.split(" ", 3)[2];
        return EXPLAINED.stream().anyMatch(kind::startsWith);
    }
}
