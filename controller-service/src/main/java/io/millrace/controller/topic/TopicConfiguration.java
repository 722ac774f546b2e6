package io.millrace.controller.topic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// What a topic's configuration becomes by a request: all of its operations, or none.
public final class TopicConfiguration {
    private final ConfigRules rules;

    public TopicConfiguration(ConfigRules rules) {
        this.rules = rules;
    }

    /// All overrides of the topic afterwards.
    ///
    /// @param replaceAll overrides that no operation names go
    /// @throws Refused with Kafka's code and text
    public Map<String, String> plan(ConfigAlteration wanted, boolean replaceAll, ClusterImage image) {
        var topic = wanted.resource().name();
        TopicNames.check(topic);
        if (image.topic(topic).isEmpty()) {
            throw new Refused(Errors.UNKNOWN_TOPIC_OR_PARTITION, "The topic '" + topic + "' does not exist.");
        }
        ConfigOps.checkKeys(wanted.ops());
        var now = image.topicConfig(topic);
        var next = new HashMap<>(replaceAll ? Map.<String, String>of() : now);
        wanted.ops().forEach(op -> apply(op, next));
        rules.problem(next).ifPresent(problem -> {
            throw new Refused(Errors.INVALID_CONFIG, problem);
        });
        return Map.copyOf(next);
    }

    private void apply(Op op, Map<String, String> values) {
        var value = op.value() == null ? "" : op.value();
        switch (op.type()) {
            case SET -> values.put(op.key(), value);
            case DELETE -> values.remove(op.key());
            case APPEND -> {
                var list = list(op, values);
                list.addAll(elements(value));
                values.put(op.key(), String.join(",", list));
            }
            case SUBTRACT -> {
                var list = list(op, values);
                list.removeAll(elements(value));
                values.put(op.key(), String.join(",", list));
            }
        }
    }

    private Set<String> list(Op op, Map<String, String> values) {
        if (!rules.isList(op.key())) {
            throw ConfigOps.noList(op);
        }
        var now = values.get(op.key());
        return new LinkedHashSet<>(elements(now != null ? now : rules.defaultOf(op.key()).orElse("")));
    }

    private static List<String> elements(String value) {
        var elements = new ArrayList<String>();
        for (var element : value.split(",", -1)) {
            if (!element.isBlank()) {
                elements.add(element.strip());
            }
        }
        return elements;
    }
}
