package io.millrace.metadata.command;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Commands and answers as JSON, and the names of the commands: `CreateTopics` is `create-topics`.
final class CommandCodec {
    /// What a later version adds is passed over, and what an earlier one does not say is 0, false or null: each field that is
    /// added has to mean by that what was done before it.
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();
    private static final Map<String, Class<?>> COMMANDS = Stream.of(Command.class.getPermittedSubclasses())
            .collect(Collectors.toUnmodifiableMap(CommandCodec::name, type -> type));

    private CommandCodec() {}

    static String name(Class<?> command) {
        return command.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    /// The class of the command of that name.
    static Optional<Class<?>> command(String name) {
        return Optional.ofNullable(COMMANDS.get(name));
    }

    static byte[] write(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    /// @throws IllegalArgumentException where it is no JSON, or not that of such a value
    static <T> T read(byte[] json, Class<T> type) {
        try {
            var value = MAPPER.readValue(json, type);
            if (value != null) {
                return value;
            }
        } catch (JacksonException failure) {
            throw new IllegalArgumentException(failure.getOriginalMessage(), failure);
        }
        throw new IllegalArgumentException("null in place of " + type.getSimpleName());
    }
}
