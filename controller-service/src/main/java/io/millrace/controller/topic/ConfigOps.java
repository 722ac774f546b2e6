package io.millrace.controller.topic;

import java.util.HashSet;
import java.util.List;

import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// What operations on any configuration must obey.
final class ConfigOps {
    private ConfigOps() {}

    /// @throws Refused INVALID_REQUEST where a key is named twice or lacks its value
    static void checkKeys(List<Op> ops) {
        var keys = new HashSet<String>();
        for (var op : ops) {
            if (!keys.add(op.key())) {
                throw new Refused(Errors.INVALID_REQUEST, "Error due to duplicate config keys: " + op.key());
            }
            if (op.type() != OpType.DELETE && op.value() == null) {
                throw new Refused(Errors.INVALID_REQUEST, "Null value not supported for : " + op.key());
            }
        }
    }

    /// The refusal of an operation that only lists know.
    static Refused noList(Op op) {
        return new Refused(Errors.INVALID_CONFIG, "Can't " + op.type() + " to key " + op.key()
                + " because its type is not LIST.");
    }
}
