package io.millrace.controller.topic;

import java.util.Collection;
import java.util.Set;
import java.util.regex.Pattern;

import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// Which names a topic may have: those that file systems and metric names can hold.
final class TopicNames {
    /// The offsets of consumer groups, kept by the coordinators.
    static final String GROUP_OFFSETS = "__consumer_offsets";
    /// The state of transactions, kept by the coordinators.
    static final String TRANSACTION_STATE = "__transaction_state";

    private static final int MAX_LENGTH = 249;
    private static final Pattern ALLOWED = Pattern.compile("[a-zA-Z0-9._-]+");
    private static final Set<String> RESERVED = Set.of(".", "..");

    private TopicNames() {}

    /// @throws Refused INVALID_TOPIC_EXCEPTION
    static void check(String name) {
        if (name.isEmpty()) {
            throw invalid("the empty string is not allowed");
        }
        if (RESERVED.contains(name)) {
            throw invalid("'" + name + "' is not allowed");
        }
        if (name.length() > MAX_LENGTH) {
            throw invalid("the length of '" + name + "' is longer than the max allowed length " + MAX_LENGTH);
        }
        if (!ALLOWED.matcher(name).matches()) {
            throw invalid("'" + name
                    + "' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'");
        }
    }

    /// `.` and `_` are one character in metric names.
    ///
    /// @throws Refused INVALID_TOPIC_EXCEPTION where `name` would read like one of `existing` there
    static void checkCollision(String name, Collection<String> existing) {
        var key = collisionKey(name);
        existing.stream()
                .filter(other -> !other.equals(name) && collisionKey(other).equals(key))
                .findFirst()
                .ifPresent(other -> {
                    throw new Refused(Errors.INVALID_TOPIC_EXCEPTION, "Topic '" + name
                            + "' collides with existing topic: " + other);
                });
    }

    private static String collisionKey(String name) {
        return name.replace('.', '_');
    }

    private static Refused invalid(String reason) {
        return new Refused(Errors.INVALID_TOPIC_EXCEPTION, "Topic name is invalid: " + reason);
    }
}
