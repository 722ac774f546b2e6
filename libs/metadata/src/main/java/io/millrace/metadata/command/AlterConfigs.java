package io.millrace.metadata.command;

import java.util.List;

import io.millrace.metadata.image.ConfigResource;
import org.jspecify.annotations.Nullable;

/// Changes dynamic configuration.
///
/// @param validateOnly answer as if, and change nothing
/// @param replaceAll what no operation names is deleted (the old AlterConfigs); else it stays (incremental)
public record AlterConfigs(List<ConfigAlteration> alterations, boolean validateOnly, boolean replaceAll)
        implements
            Command<AlterConfigs.Result> {
    public AlterConfigs {
        alterations = List.copyOf(alterations);
    }

    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// What to do with a value. The last two are for lists.
    public enum OpType {
        SET, DELETE, APPEND, SUBTRACT
    }

    /// @param key Kafka's name of the configuration
    /// @param value null with [OpType#DELETE]
    public record Op(String key, @Nullable String value, OpType type) {}

    /// @param resource what the operations are about
    /// @param expected what [io.millrace.metadata.image.ConfigsImage#tag] must say of the resource, else it is refused with
    ///        INVALID_UPDATE_VERSION; null: whatever it is
    public record ConfigAlteration(ConfigResource resource, List<Op> ops, @Nullable String expected) {
        public ConfigAlteration {
            ops = List.copyOf(ops);
        }

        /// One that does not mind what was set before.
        public ConfigAlteration(ConfigResource resource, List<Op> ops) {
            this(resource, ops, null);
        }
    }

    /// @param errorCode Kafka's; 0 is success
    /// @param message for people; null where there is nothing to say
    public record ConfigOutcome(ConfigResource resource, short errorCode, @Nullable String message) {}

    /// @param resources one outcome a resource, in the order of the command
    public record Result(List<ConfigOutcome> resources) {
        public Result {
            resources = List.copyOf(resources);
        }
    }
}
