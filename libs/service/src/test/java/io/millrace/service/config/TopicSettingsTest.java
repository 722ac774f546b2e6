package io.millrace.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.millrace.service.config.ConfigEntry.Source;
import io.millrace.service.config.ConfigEntry.Synonym;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TopicSettingsTest {
    private static final ServerSettings DEFAULTS = ServerSettings.of(Map.of());

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
            "message.timestamp.type | foo  | Invalid value foo for configuration message.timestamp.type",
            "retention.ms           | abc  | Invalid value abc for configuration retention.ms",
            "retention.ms           | -2   | Invalid value -2 for configuration retention.ms",
            "min.insync.replicas    | 0    | Invalid value 0 for configuration min.insync.replicas",
            "cleanup.policy         | keep | Invalid value keep for configuration cleanup.policy",
            "replication.factor     | 3    | Unknown topic config name: replication.factor",
            "retention.ms           | -    | Null value not supported for topic configs: retention.ms",
            "leader.replication.throttled.replicas | 0-1 | Must be the literal '*'",
    })
    void whatCannotBeSetIsRefusedInKafkasWords(String key, @Nullable String value, String message) {
        var given = new HashMap<String, @Nullable String>();
        given.put(key, value);

        assertThat(TopicSettings.validate(given)).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo(key);
            assertThat(problem.error()).isEqualTo(Errors.INVALID_CONFIG);
            assertThat(problem.message()).contains(message);
        });
    }

    @Test
    void whatContradictsItselfIsRefused() {
        assertThat(TopicSettings.validate(Map.of("min.compaction.lag.ms", "10", "max.compaction.lag.ms", "9")))
                .singleElement().satisfies(problem -> assertThat(problem.message()).contains("conflict"));
    }

    @Test
    void everyKeyTakesItsOwnDefault() {
        for (var key : TopicSettings.definition().configKeys().values()) {
            var text = String.valueOf(
                    ConfigDef.convertToString(key.defaultValue, key.type));

            assertThat(TopicSettings.validate(key.name, text)).as(key.name).isEmpty();
        }
    }

    static List<String> keys() {
        return List.copyOf(TopicSettings.definition().names());
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everySynonymIsABrokersKeyWithTheSameDefault(String key) {
        TopicSettings.synonyms(key).forEach(synonym -> assertThat(ServerSettings.definition().names())
                .contains(synonym));

        var entry = entry(TopicSettings.resolve(Map.of(), DEFAULTS), key);
        var own = Objects.requireNonNull(TopicSettings.definition().configKeys().get(key));

        assertThat(entry.value()).isEqualTo(
                ConfigDef.convertToString(own.defaultValue, own.type));
        assertThat(entry.source()).isEqualTo(Source.DEFAULT);
    }

    @Test
    void anOverrideWinsOverTheBrokerAndTheBrokerOverTheDefault() {
        var broker = ServerSettings.of(Map.of("log.retention.hours", "1", "log.segment.bytes", "1048576",
                "log.cleanup.policy", "compact"));

        var settings = TopicSettings.resolve(Map.of("segment.bytes", "2097152"), broker);

        assertThat(settings.getLong("retention.ms")).isEqualTo(3_600_000);
        assertThat(settings.getInt("segment.bytes")).isEqualTo(2_097_152);
        assertThat(settings.getList("cleanup.policy")).containsExactly("compact");
        assertThat(settings.getString("compression.type")).isEqualTo("producer");
        assertThat(settings.getDouble("min.cleanable.dirty.ratio")).isEqualTo(0.5);
        assertThat(settings.getBoolean("preallocate")).isFalse();
    }

    @Test
    void aDescriptionNamesAllPlacesThatSayAnything() {
        var broker = ServerSettings.of(Map.of("log.retention.hours", "1"));

        var entry = entry(TopicSettings.resolve(Map.of("retention.ms", "5"), broker), "retention.ms");

        assertThat(entry.value()).isEqualTo("5");
        assertThat(entry.source()).isEqualTo(Source.TOPIC);
        assertThat(entry.synonyms()).containsExactly(
                new Synonym("retention.ms", "5", Source.TOPIC),
                new Synonym("log.retention.hours", "1", Source.STATIC_BROKER),
                new Synonym("log.retention.hours", "168", Source.DEFAULT));
        assertThat(entry.readOnly()).isFalse();
    }

    @Test
    void rubbishThatAnOldToolWroteIsAsIfItWereNotThere() {
        var settings = TopicSettings.resolve(Map.of("retention.ms", "abc", "nonsense", "1", "flush.messages", "9"),
                DEFAULTS);

        assertThat(settings.getLong("retention.ms")).isEqualTo(604_800_000);
        assertThat(settings.overrides()).isEqualTo(Map.of("flush.messages", "9"));
    }

    private static ConfigEntry entry(TopicSettings settings, String key) {
        return settings.describe().stream().filter(entry -> entry.name().equals(key)).findFirst().orElseThrow();
    }
}
