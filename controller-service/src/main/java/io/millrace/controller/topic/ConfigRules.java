package io.millrace.controller.topic;

import java.util.Map;
import java.util.Optional;

/// What values a topic's configuration may have.
public interface ConfigRules {

    /// Why `overrides` cannot be a topic's configuration, for people; empty where they can.
    Optional<String> problem(Map<String, String> overrides);

    /// Whether that key holds a list, to which values can be appended.
    boolean isList(String key);

    /// What holds for that key where the topic does not override it; empty where nothing does or the key is unknown.
    Optional<String> defaultOf(String key);
}
