package io.millrace.service.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import io.millrace.service.config.ConfigEntry.Source;
import io.millrace.service.config.ConfigEntry.Synonym;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/// The loggers of this process and their levels, under Kafka's name for the root one. A level that is set holds until the
/// process ends. Thread-safe.
@Slf4j
public final class NodeLoggers {
    private static final String ROOT = "root";
    private static final Set<String> LEVELS = Set.of("FATAL", "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "OFF");

    private final LoggingSystem system;

    private NodeLoggers(LoggingSystem system) {
        this.system = system;
    }

    /// Those of the logging framework that is at work.
    public static NodeLoggers ofThisProcess() {
        return new NodeLoggers(LoggingSystem.get(NodeLoggers.class.getClassLoader()));
    }

    /// Every logger with the level that it goes by, by name.
    public List<ConfigEntry> describe() {
        return system.getLoggerConfigurations().stream()
                .map(NodeLoggers::entry)
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .toList();
    }

    private static ConfigEntry entry(LoggerConfiguration logger) {
        var name = logger.getName().equals(LoggingSystem.ROOT_LOGGER_NAME) ? ROOT : logger.getName();
        var level = logger.getLevelConfiguration().getName();
        return new ConfigEntry(name, level, Source.DYNAMIC_BROKER_LOGGER, false, false, ConfigDef.Type.STRING,
                List.of(new Synonym(name, level, Source.DYNAMIC_BROKER_LOGGER)), "");
    }

    /// What keeps a logger from that level; empty where nothing does.
    ///
    /// @param level null where the logger is to go by its parent again
    public Optional<SettingProblem> problem(String logger, @Nullable String level) {
        if (level == null && logger.equals(ROOT)) {
            return Optional.of(new SettingProblem(logger, Errors.INVALID_REQUEST,
                    "Removing the log level of the root logger is not allowed"));
        }
        if (level != null && !LEVELS.contains(level.toUpperCase(Locale.ROOT))) {
            return Optional.of(new SettingProblem(logger, Errors.INVALID_CONFIG,
                    "Cannot set the log level of %s to %s as it is not a supported log level. Valid log levels are %s"
                            .formatted(logger, level, String.join(", ", LEVELS.stream().sorted().toList()))));
        }
        return system.getLoggerConfiguration(systems(logger)) == null
                ? Optional.of(new SettingProblem(logger, Errors.INVALID_CONFIG, "Logger " + logger
                        + " does not exist!"))
                : Optional.empty();
    }

    /// Gives a logger a level; to be asked first whether that can be: [#problem].
    ///
    /// @param level null: as its parent
    public void set(String logger, @Nullable String level) {
        system.setLogLevel(systems(logger), level == null ? null : LogLevel.valueOf(level.toUpperCase(Locale.ROOT)));
        log.info("log level changed logger={} level={}", logger, level == null ? "inherited" : level);
    }

    private static String systems(String logger) {
        return logger.equals(ROOT) ? LoggingSystem.ROOT_LOGGER_NAME : logger;
    }
}
