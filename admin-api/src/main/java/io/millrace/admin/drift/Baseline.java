package io.millrace.admin.drift;

import java.util.Map;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/// What settings are declared to be.
///
/// @param brokers values of all brokers' settings, by name; null: none
/// @param topics values of topics' settings, by topic and name; null: none
@Schema(example = "{\"brokers\": {\"log.retention.hours\": \"168\"}, \"topics\": {\"orders\": {\"retention.ms\": \"3600000\"}}}")
record Baseline(
        @Nullable @Size(max = 1_000) Map<@NotBlank @Size(max = 255) String, @NotNull @Size(max = 32_768) String> brokers,
        @Nullable @Size(max = 10_000) Map<@NotBlank @Size(max = 249) String, @NotNull @Size(max = 1_000) Map<@NotBlank @Size(max = 255) String, @NotNull @Size(max = 32_768) String>> topics) {

    /// Nothing is declared.
    static final Baseline NONE = new Baseline(null, null);

    Map<String, String> ofBrokers() {
        return brokers == null ? Map.of() : brokers;
    }

    Map<String, Map<String, String>> ofTopics() {
        return topics == null ? Map.of() : topics;
    }
}
