package io.millrace.controller.topic;

import static io.millrace.metadata.command.AlterConfigs.OpType.APPEND;
import static io.millrace.metadata.command.AlterConfigs.OpType.DELETE;
import static io.millrace.metadata.command.AlterConfigs.OpType.SET;
import static io.millrace.metadata.command.AlterConfigs.OpType.SUBTRACT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;

import io.millrace.controller.fixture.Cluster;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class TopicConfigurationTest {
    private static final Cluster CLUSTER = Cluster.ofBrokers(1).withTopic("t", List.of(List.of(1))).withTopicConfig("t",
            Map
                    .of("retention.ms", "1"));

    private final TopicConfiguration configuration = new TopicConfiguration(new FakeConfigRules());

    @Test
    void operationsChangeWhatTheyNameAndNothingElse() {
        assertThat(altered(new Op("cleanup.policy", "compact", SET))).isEqualTo(Map.of("retention.ms", "1",
                "cleanup.policy", "compact"));
        assertThat(altered(new Op("retention.ms", null, DELETE))).isEmpty();
        assertThat(altered(new Op("cleanup.policy", "compact", APPEND))).containsEntry("cleanup.policy",
                "delete,compact");
        assertThat(altered(new Op("cleanup.policy", "delete,compact", APPEND))).containsEntry("cleanup.policy",
                "delete,compact");
    }

    @Test
    void subtractionTakesElementsOutOfAList() {
        var image = CLUSTER.withTopicConfig("t", Map.of("cleanup.policy", "delete,compact")).image();
        var subtraction = new ConfigAlteration(ConfigResource.topic("t"), List.of(new Op("cleanup.policy", "delete",
                SUBTRACT)));

        assertThat(configuration.plan(subtraction, false, image)).isEqualTo(Map.of("cleanup.policy", "compact"));
    }

    @Test
    void replacingAllForgetsWhatIsNotNamed() {
        var wanted = new ConfigAlteration(ConfigResource.topic("t"), List.of(new Op("cleanup.policy", "compact", SET)));

        assertThat(configuration.plan(wanted, true, CLUSTER.image())).isEqualTo(Map.of("cleanup.policy", "compact"));
    }

    @Test
    void badOperationsAreRefusedAsAWhole() {
        assertRefused(Errors.INVALID_CONFIG, new Op("cleanup.policy", "compact", SET), new Op("retention.ms", "abc",
                SET));
        assertRefused(Errors.INVALID_CONFIG, new Op("no.such.key", "1", SET));
        assertRefused(Errors.INVALID_CONFIG, new Op("replication.factor", "1", SET));
        assertRefused(Errors.INVALID_CONFIG, new Op("retention.ms", "1", APPEND));
        assertRefused(Errors.INVALID_REQUEST, new Op("retention.ms", null, SET));
        assertRefused(Errors.INVALID_REQUEST, new Op("retention.ms", "1", SET), new Op("retention.ms", "2", SET));
    }

    @Test
    void topicsThatDoNotExistAreRefused() {
        assertRefused(ConfigResource.topic("none"), Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertRefused(ConfigResource.topic(""), Errors.INVALID_TOPIC_EXCEPTION);
    }

    private Map<String, String> altered(Op... ops) {
        return configuration.plan(new ConfigAlteration(ConfigResource.topic("t"), List.of(ops)), false, CLUSTER
                .image());
    }

    private void assertRefused(Errors error, Op... ops) {
        assertThatExceptionOfType(Refused.class).isThrownBy(() -> altered(ops)).matches(refused -> refused
                .error() == error,
                "refused with " + error);
    }

    private void assertRefused(ConfigResource resource, Errors error) {
        var wanted = new ConfigAlteration(resource, List.of());
        assertThatExceptionOfType(Refused.class).isThrownBy(() -> configuration.plan(wanted, false, CLUSTER.image()))
                .matches(
                        refused -> refused.error() == error, "refused with " + error);
    }
}
