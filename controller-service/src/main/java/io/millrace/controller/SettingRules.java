package io.millrace.controller;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import io.millrace.controller.topic.ConfigRules;
import io.millrace.service.config.DynamicKeys;
import io.millrace.service.config.GroupSettings;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.config.SettingProblem;
import io.millrace.service.config.TopicSettings;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/// The catalogues of settings as the decisions ask them.
final class SettingRules implements ConfigRules {
    private final ServerSettings server;
    private final Map<String, String> defaults;

    /// @param server whose settings are the defaults of topics
    SettingRules(ServerSettings server) {
        this.server = server;
        var byName = new HashMap<String, String>();
        TopicSettings.resolve(Map.of(), server).describe().forEach(entry -> {
            var value = entry.value();
            if (value != null) {
                byName.put(entry.name(), value);
            }
        });
        defaults = Map.copyOf(byName);
    }

    @Override
    public Optional<String> problem(Map<String, String> overrides) {
        return TopicSettings.validate(overrides).stream().map(SettingProblem::message).findFirst();
    }

    @Override
    public Optional<Problem> brokerProblem(String key, @Nullable String value) {
        return (value == null ? DynamicKeys.unchangeable(key) : DynamicKeys.validate(key, value)).map(
                problem -> new Problem(problem.error(), problem.message()));
    }

    @Override
    public Optional<Problem> groupProblem(String key, @Nullable String value) {
        return (value == null ? GroupSettings.unknown(key) : GroupSettings.validate(key, value, server)).map(
                problem -> new Problem(problem.error(), problem.message()));
    }

    @Override
    public boolean isList(String key) {
        var known = TopicSettings.definition().configKeys().get(key);
        return known != null && known.type == ConfigDef.Type.LIST;
    }

    @Override
    public Optional<String> defaultOf(String key) {
        return Optional.ofNullable(defaults.get(key));
    }
}
