package io.millrace.standalone;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.millrace.standalone.plan.Role;

/// Arguments sorted by role: `--broker.server.port=9152` is for the broker alone, `--kafka.num.partitions=3` for every
/// service.
record StandaloneArguments(Map<String, String> shared, Map<Role, Map<String, String>> own) {

    /// @throws IllegalArgumentException naming an argument that is not `--key=value`
    static StandaloneArguments of(String[] args) {
        var shared = new LinkedHashMap<String, String>();
        var own = new EnumMap<Role, Map<String, String>>(Role.class);
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (!arg.startsWith("--") || equals < 0) {
                throw new IllegalArgumentException("not --key=value: " + arg);
            }
            String key = arg.substring(2, equals);
            String value = arg.substring(equals + 1);
            int dot = key.indexOf('.');
            Optional<Role> role = dot < 0 ? Optional.empty() : Role.labelled(key.substring(0, dot));
            role.map(it -> own.computeIfAbsent(it, _ -> new LinkedHashMap<>())).ifPresentOrElse(
                    properties -> properties.put(key.substring(dot + 1), value), () -> shared.put(key, value));
        }
        return new StandaloneArguments(shared, own);
    }

    /// The role's own properties.
    Map<String, String> of(Role role) {
        return own.getOrDefault(role, Map.of());
    }

    /// The arguments of a service: what is shared, with what is its own in place of it.
    String[] service(Role role) {
        var properties = new LinkedHashMap<>(shared);
        properties.putAll(of(role));
        List<String> arguments = new ArrayList<>();
        properties.forEach((key, value) -> arguments.add("--" + key + "=" + value));
        return arguments.toArray(String[]::new);
    }
}
