package io.millrace.controller.topic;

import java.util.Map;
import java.util.Optional;

import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// What values the configuration of topics and brokers may have.
public interface ConfigRules {

    /// Why `overrides` cannot be a topic's configuration, for people; empty where they can.
    Optional<String> problem(Map<String, String> overrides);

    /// Why that key of a broker cannot be changed to `value` while the broker runs; empty where it can.
    ///
    /// @param value null where it is to be reset
    Optional<Problem> brokerProblem(String key, @Nullable String value);

    /// Why that key of a group cannot be set to `value`; empty where it can.
    ///
    /// @param value null where it is to be reset
    Optional<Problem> groupProblem(String key, @Nullable String value);

    /// @param error Kafka's code
    /// @param message for people
    record Problem(Errors error, String message) {}

    /// Whether that key of a topic holds a list, to which values can be appended.
    boolean isList(String key);

    /// What holds for that key where the topic does not override it; empty where nothing does or the key is unknown.
    Optional<String> defaultOf(String key);
}
