package io.millrace.controller.topic;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Knows `retention.ms`, a number, and `cleanup.policy`, a list of `delete` and `compact`; of brokers `rate`, a number.
public final class FakeConfigRules implements ConfigRules {
    private static final Set<String> POLICIES = Set.of("delete", "compact");

    @Override
    public Optional<String> problem(Map<String, String> overrides) {
        return overrides.entrySet().stream().filter(entry -> !isValid(entry.getKey(), entry.getValue())).map(
                entry -> "Invalid value " + entry.getValue() + " for configuration " + entry.getKey()).findFirst();
    }

    private static boolean isValid(String key, String value) {
        return switch (key) {
            case "retention.ms" -> value.matches("-?[0-9]+");
            case "cleanup.policy" -> POLICIES.containsAll(Set.of(value.split(",")));
            case "unclean.leader.election.enable", "compression.type", "segment.bytes" -> true;
            default -> false;
        };
    }

    @Override
    public Optional<Problem> brokerProblem(String key, @Nullable String value) {
        if (!key.equals("rate")) {
            return Optional.of(new Problem(Errors.INVALID_REQUEST, "Cannot update these configs dynamically: " + key));
        }
        return value == null || value.matches("[0-9]+")
                ? Optional.empty()
                : Optional.of(new Problem(Errors.INVALID_CONFIG, "Invalid value " + value));
    }

    @Override
    public Optional<Problem> groupProblem(String key, @Nullable String value) {
        return key.equals("session")
                ? Optional.empty()
                : Optional.of(new Problem(Errors.INVALID_CONFIG, "Unknown group config name: " + key));
    }

    @Override
    public boolean isList(String key) {
        return key.equals("cleanup.policy");
    }

    @Override
    public Optional<String> defaultOf(String key) {
        return key.equals("cleanup.policy") ? Optional.of("delete") : Optional.empty();
    }
}
