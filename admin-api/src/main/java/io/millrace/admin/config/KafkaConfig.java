package io.millrace.admin.config;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.ConfigSources;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.jspecify.annotations.Nullable;

/// One setting of a topic, a broker or a group.
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
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String consumerGroupId,
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
        var source = ConfigSources.name(entry.configSource());
        return new KafkaConfig(owner.kind(), metadata, clusterId, owner.topicName(), owner.brokerId(),
                owner.consumerGroupId(), owner.configType(), entry.name(),
                entry.value(), source.equals("DEFAULT_CONFIG"), entry.readOnly(), entry.isSensitive(), source,
                entry.synonyms().stream()
                        .map(synonym -> new Synonym(synonym.name(), synonym.value(), ConfigSources.name(synonym
                                .source())))
                        .toList());
    }
}
