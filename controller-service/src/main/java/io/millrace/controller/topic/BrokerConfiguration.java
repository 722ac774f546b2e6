package io.millrace.controller.topic;

import java.util.HashMap;
import java.util.Map;

import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// What the configuration of a node, of all of them, or of a group becomes by a request: all of its operations, or none. Coordinators
/// count as well: tools clear the throttles of every node that they are told of.
public final class BrokerConfiguration {
    private final ConfigRules rules;

    public BrokerConfiguration(ConfigRules rules) {
        this.rules = rules;
    }

    /// All that is set for it afterwards.
    ///
    /// @param replaceAll what no operation names goes
    /// @throws Refused with Kafka's code and text
    public Map<String, String> plan(ConfigAlteration wanted, boolean replaceAll, ClusterImage image) {
        checkName(wanted.resource());
        ConfigOps.checkKeys(wanted.ops());
        var next = new HashMap<>(replaceAll ? Map.<String, String>of() : image.configs().of(wanted.resource()));
        wanted.ops().forEach(op -> apply(wanted.resource().type(), op, next));
        return Map.copyOf(next);
    }

    private static void checkName(ConfigResource resource) {
        var name = resource.name();
        if (resource.type() == ConfigType.GROUP) {
            if (name.isEmpty()) {
                throw new Refused(Errors.INVALID_REQUEST, "Default group resources are not allowed.");
            }
        } else if (!name.equals(ConfigResource.DEFAULT) && !name.matches("\\d{1,9}")) {
            throw new Refused(Errors.INVALID_REQUEST, "Node id must be an integer, but it is: " + name);
        }
    }

    private void apply(ConfigType type, Op op, Map<String, String> values) {
        if (op.type() == OpType.APPEND || op.type() == OpType.SUBTRACT) {
            throw ConfigOps.noList(op);
        }
        var value = op.type() == OpType.DELETE ? null : op.value();
        var refusal = type == ConfigType.GROUP
                ? rules.groupProblem(op.key(), value)
                : rules.brokerProblem(op.key(), value);
        refusal.ifPresent(problem -> {
            throw new Refused(problem.error(), problem.message());
        });
        if (op.type() == OpType.DELETE || op.value() == null) {
            values.remove(op.key());
        } else {
            values.put(op.key(), op.value());
        }
    }
}
