package io.millrace.service.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import lombok.extern.slf4j.Slf4j;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/// Finds the settings in Spring's environment: files, arguments, system properties under `kafka.<key>`, environment
/// variables under `KAFKA_<KEY>`. The closest source wins, as everywhere in Spring.
@Slf4j
final class EnvironmentKeys {
    private static final String PREFIX = "kafka.";
    private static final String VARIABLE_PREFIX = "KAFKA_";

    private EnvironmentKeys() {}

    /// Without the prefix. Unknown properties are among them, for the caller to refuse; unknown variables are not, since
    /// Kubernetes puts `KAFKA_SERVICE_HOST` and the like into every pod of a namespace.
    static Map<String, String> read(ConfigurableEnvironment environment) {
        var found = new TreeMap<String, String>();
        for (var name : names(environment)) {
            value(environment, name).ifPresent(value -> found.put(name, value));
        }
        return found;
    }

    private static Iterable<String> names(ConfigurableEnvironment environment) {
        var names = new TreeSet<String>();
        for (var source : environment.getPropertySources()) {
            if (source instanceof SystemEnvironmentPropertySource variables) {
                for (var variable : variables.getPropertyNames()) {
                    addVariable(names, variable);
                }
            } else if (source instanceof EnumerablePropertySource<?> properties) {
                for (var property : properties.getPropertyNames()) {
                    if (property.startsWith(PREFIX)) {
                        names.add(withoutIndex(property.substring(PREFIX.length())));
                    }
                }
            }
        }
        return names;
    }

    private static void addVariable(Set<String> names, String variable) {
        if (!variable.startsWith(VARIABLE_PREFIX)) {
            return;
        }
        var name = variable.substring(VARIABLE_PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '.');
        if (ServerCatalogue.isKnown(name)) {
            names.add(name);
        } else {
            log.debug("An environment variable means no setting and is ignored variable={}", variable);
        }
    }

    /// A list in YAML comes as `log.dirs[0]`, `log.dirs[1]`.
    private static String withoutIndex(String property) {
        int bracket = property.indexOf('[');
        return bracket < 0 ? property : property.substring(0, bracket);
    }

    private static Optional<String> value(ConfigurableEnvironment environment, String name) {
        var text = environment.getProperty(PREFIX + name);
        if (text != null) {
            return Optional.of(text.strip());
        }
        var adapted = ConfigurationPropertyName.adapt(PREFIX + name, '.');
        List<String> items = Binder.get(environment).bind(adapted, Bindable.listOf(String.class)).orElse(List.of());
        return items.isEmpty() ? Optional.empty() : Optional.of(String.join(",", items));
    }
}
