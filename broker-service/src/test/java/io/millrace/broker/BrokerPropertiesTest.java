package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;

import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.StartRefused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerPropertiesTest {
    @ParameterizedTest
    @ValueSource(strings = {"-1", "1000", "5000"})
    void idOutsideOfTheBrokersRangeIsRefusedByItsName(String id) {
        assertThatThrownBy(() -> of(id, "PLAINTEXT://:9092")).isInstanceOf(StartRefused.class).hasMessageContaining(
                "kafka.broker.id: " + id);
    }

    @Test
    void portThatOthersCannotBeToldIsRefused() {
        assertThatThrownBy(() -> of("0", "PLAINTEXT://:0")).isInstanceOf(StartRefused.class).hasMessageContaining(
                "kafka.listeners");
    }

    @Test
    void brokerIsNamedByItsId() {
        assertThat(of("7", "PLAINTEXT://:9092").name()).isEqualTo("broker-7");
    }

    private static BrokerProperties of(String id, String listeners) {
        return BrokerProperties.of(ServerSettings.of(Map.of("broker.id", id, "listeners", listeners)));
    }
}
