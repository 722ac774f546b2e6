package io.millrace.controller.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;

import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerConfigurationTest {
    private static final ClusterImage IMAGE = ClusterImage.EMPTY.with(ClusterImage.EMPTY.configs().with(ConfigResource
            .broker(1), Map.of("rate", "5", "old", "x")));

    private final BrokerConfiguration configuration = new BrokerConfiguration(new FakeConfigRules());

    private Map<String, String> plan(ConfigResource resource, boolean replaceAll, Op... ops) {
        return configuration.plan(new ConfigAlteration(resource, List.of(ops)), replaceAll, IMAGE);
    }

    @Test
    void operationsChangeWhatTheyNameAndNothingElse() {
        assertThat(plan(ConfigResource.broker(1), false, new Op("rate", "7", OpType.SET))).isEqualTo(Map.of("rate", "7",
                "old", "x"));
        assertThat(plan(ConfigResource.broker(1), false, new Op("rate", null, OpType.DELETE))).isEqualTo(Map.of("old",
                "x"));
        assertThat(plan(ConfigResource.broker(1), true, new Op("rate", "7", OpType.SET))).isEqualTo(Map.of("rate",
                "7"));
        assertThat(plan(ConfigResource.allBrokers(), false, new Op("rate", "7", OpType.SET))).isEqualTo(Map.of("rate",
                "7"));
        assertThat(plan(ConfigResource.broker(1000), false, new Op("rate", null, OpType.DELETE))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {"1, rate, x, SET, INVALID_CONFIG", "1, rate, -, SET, INVALID_REQUEST",
            "1, other, 1, SET, INVALID_REQUEST", "1, other, -, DELETE, INVALID_REQUEST",
            "1, rate, 1, APPEND, INVALID_CONFIG", "one, rate, 1, SET, INVALID_REQUEST",
            "'', rate, 1, SET, INVALID_REQUEST",
            "-1, rate, 1, SET, INVALID_REQUEST", "99999999999, rate, 1, SET, INVALID_REQUEST"})
    void whatCannotBeSetIsRefused(String node, String key, @Nullable String value, OpType type, Errors error) {
        var resource = new ConfigResource(ConfigResource.broker(1).type(), node);

        assertThatThrownBy(() -> plan(resource, false, new Op(key, value, type))).isInstanceOfSatisfying(Refused.class,
                refused -> assertThat(refused.error()).isEqualTo(error));
    }

    @Test
    void aGroupHasKeysOfItsOwnAndAName() {
        var group = new ConfigResource(ConfigType.GROUP, "g");

        assertThat(plan(group, false, new Op("session", "7", OpType.SET))).isEqualTo(Map.of("session", "7"));
        assertThatThrownBy(() -> plan(group, false, new Op("rate", "7", OpType.SET))).isInstanceOf(Refused.class);
        assertThatThrownBy(() -> plan(new ConfigResource(ConfigType.GROUP, ""), false, new Op("session", "7",
                OpType.SET))).isInstanceOf(Refused.class);
    }

    @Test
    void keyNamedTwiceRefusesAll() {
        assertThatThrownBy(() -> plan(ConfigResource.broker(1), false, new Op("rate", "1", OpType.SET), new Op("rate",
                "2", OpType.SET))).isInstanceOf(Refused.class).hasMessageContaining("duplicate");
    }
}
