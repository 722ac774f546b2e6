package io.millrace.service.protocol;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import io.millrace.service.config.DynamicKeys;
import io.millrace.service.config.TopicSettings;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// What a request wants to change of one resource, judged. Both forms of the request come here. **pure**
final class ConfigChanges {

    /// One change as a request has it; the value may be missing where the type needs one.
    ///
    record Asked(String key, @Nullable String value, OpType type) {}

    private ConfigChanges() {}

    /// The same for the controller.
    ///
    /// @param type Kafka's number of the resource's type
    /// @param self this node, the only one whose settings it changes
    /// @throws Refused where the request alone, or the topics there are, tell that it cannot be done
    static ConfigAlteration of(byte type, String name, List<Asked> asked, ClusterImage image, int self) {
        var resource = resource(type, name, image, self);
        checkKeys(asked);
        var ops = new ArrayList<Op>(asked.size());
        for (var change : asked) {
            ops.add(switch (resource.type()) {
                case TOPIC -> opOfTopic(change);
                // Judged by the controller alone, which has the limits.
                case GROUP -> new Op(change.key(), change.type() == OpType.DELETE ? null : change.value(),
                        change.type());
                case BROKER, CLIENT, USER, IP, CLIENT_METRICS -> opOfBroker(change);
            });
        }
        return new ConfigAlteration(resource, ops);
    }

    private static ConfigResource resource(byte type, String name, ClusterImage image, int self) {
        return switch (org.apache.kafka.common.config.ConfigResource.Type.forId(type)) {
            case TOPIC -> topic(name, image);
            case BROKER -> broker(name, self);
            case GROUP -> new ConfigResource(ConfigType.GROUP, name);
            case BROKER_LOGGER -> throw new Refused(Errors.INVALID_REQUEST,
                    "AlterConfigs is deprecated and does not support the resource type BROKER_LOGGER");
            case org.apache.kafka.common.config.ConfigResource.Type other -> throw new Refused(Errors.INVALID_REQUEST,
                    "Settings can be changed of topics, brokers and groups only, not of a resource of type " + other);
        };
    }

    private static ConfigResource topic(String name, ClusterImage image) {
        if (name.isEmpty()) {
            throw new Refused(Errors.INVALID_REQUEST, "Default topic resources are not allowed.");
        }
        TopicNames.problem(name).ifPresent(problem -> {
            throw new Refused(Errors.INVALID_TOPIC_EXCEPTION, problem);
        });
        if (image.topic(name).isEmpty()) {
            throw new Refused(Errors.UNKNOWN_TOPIC_OR_PARTITION, "The topic '" + name + "' does not exist.");
        }
        return ConfigResource.topic(name);
    }

    private static ConfigResource broker(String name, int self) {
        if (name.isEmpty()) {
            return ConfigResource.allBrokers();
        }
        if (!name.equals(Integer.toString(self))) {
            throw new Refused(Errors.INVALID_REQUEST, "Unexpected broker id, expected " + self
                    + " or empty string, but received " + name);
        }
        return ConfigResource.broker(self);
    }

    private static void checkKeys(List<Asked> asked) {
        var nulls = asked.stream().filter(change -> change.value() == null && change.type() != OpType.DELETE)
                .map(Asked::key).toList();
        if (!nulls.isEmpty()) {
            throw new Refused(Errors.INVALID_REQUEST, "Null value not supported for : " + String.join(", ", nulls));
        }
        Set<String> keys = new HashSet<>();
        if (!asked.stream().allMatch(change -> keys.add(change.key()))) {
            throw new Refused(Errors.INVALID_REQUEST, "Error due to duplicate config keys");
        }
    }

    private static Op opOfTopic(Asked change) {
        switch (change.type()) {
            case SET -> TopicSettings.validate(change.key(), change.value()).ifPresent(problem -> {
                throw new Refused(problem.error(), problem.message());
            });
            case APPEND, SUBTRACT -> checkList(change.key(), change.type());
            case DELETE -> {
                return new Op(change.key(), null, OpType.DELETE);
            }
        }
        return new Op(change.key(), change.value(), change.type());
    }

    private static Op opOfBroker(Asked change) {
        if (change.type() == OpType.APPEND || change.type() == OpType.SUBTRACT) {
            throw new Refused(Errors.INVALID_CONFIG, "Can't " + change.type() + " to key " + change.key()
                    + " because its type is not LIST.");
        }
        boolean deletes = change.type() == OpType.DELETE;
        var problem = deletes
                ? DynamicKeys.unchangeable(change.key())
                : DynamicKeys.validate(change.key(), change.value());
        problem.ifPresent(found -> {
            throw new Refused(found.error(), found.message());
        });
        return new Op(change.key(), deletes ? null : change.value(), change.type());
    }

    private static void checkList(String key, OpType type) {
        var known = TopicSettings.definition().configKeys().get(key);
        if (known == null) {
            throw new Refused(Errors.INVALID_CONFIG, "Unknown topic config name: " + key);
        }
        if (known.type != ConfigDef.Type.LIST) {
            throw new Refused(Errors.INVALID_CONFIG,
                    "Can't " + type + " to key " + key + " because its type is not LIST.");
        }
    }
}
