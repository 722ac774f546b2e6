package io.millrace.admin.config;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.admin.resource.ResourceMetadata;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.jspecify.annotations.Nullable;

/// One setting of a topic or a broker.
///
/// @param value null where it is sensitive, or has none
/// @param source where the value comes from, in Kafka's words
/// @param synonyms every place that has a value for it, the one in force first
record KafkaConfig(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String topicName,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer brokerId,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String configType,
        String name,
        @Nullable String value,
        boolean isDefault,
        boolean isReadOnly,
        boolean isSensitive,
        String source,
        List<Synonym> synonyms) {

    record Synonym(String name, @Nullable String value, String source) {}

    static KafkaConfig of(ConfigOwner owner, ResourceMetadata metadata, String clusterId,
            DescribeConfigsResourceResult entry) {
        var source = source(entry.configSource());
        return new KafkaConfig(owner.kind(), metadata, clusterId, owner.topicName(), owner.brokerId(),
                owner.configType(), entry.name(),
                entry.value(), source.equals("DEFAULT_CONFIG"), entry.readOnly(), entry.isSensitive(), source,
                entry.synonyms().stream()
                        .map(synonym -> new Synonym(synonym.name(), synonym.value(), source(synonym.source())))
                        .toList());
    }

    private static String source(byte id) {
        return switch (id) {
            case 1 -> "DYNAMIC_TOPIC_CONFIG";
            case 2 -> "DYNAMIC_BROKER_CONFIG";
            case 3 -> "DYNAMIC_DEFAULT_BROKER_CONFIG";
            case 4 -> "STATIC_BROKER_CONFIG";
            case 5 -> "DEFAULT_CONFIG";
            case 6 -> "DYNAMIC_BROKER_LOGGER_CONFIG";
            default -> "UNKNOWN";
        };
    }
}
