package io.millrace.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;

import io.millrace.metadata.image.Endpoint;
import io.millrace.service.config.ConfigEntry.Source;
import io.millrace.service.lifecycle.StartRefused;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class ServerSettingsTest {

    private static ServerSettings read(Map<String, Object> properties, Map<String, Object> variables) {
        var environment = new StandardEnvironment();
        environment.getPropertySources().remove(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        environment.getPropertySources().addLast(new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
        return ServerSettings.from(environment);
    }

    @Test
    void whatIsNotSetHasKafkasDefault() {
        var settings = ServerSettings.of(Map.of());

        assertThat(settings.getInt("num.partitions")).isEqualTo(1);
        assertThat(settings.getLong("log.segment.bytes")).isEqualTo(1_073_741_824);
        assertThat(settings.getInt("offsets.topic.replication.factor")).isEqualTo(3);
        assertThat(settings.getBoolean("auto.create.topics.enable")).isTrue();
        assertThat(settings.getList("group.consumer.assignors")).containsExactly("uniform", "range");
        assertThat(settings.findString("zookeeper.connect")).isEmpty();
        assertThat(settings.isSet("num.partitions")).isFalse();
        assertThat(settings.logDirs()).containsExactly("/tmp/kafka-logs");
    }

    @Test
    void propertiesWinOverVariablesAndBothOverDefaults() {
        var settings = read(Map.of("kafka.num.partitions", "7", "kafka.log.dirs[0]", "/a", "kafka.log.dirs[1]", "/b"),
                Map.of("KAFKA_NUM_PARTITIONS", "3", "KAFKA_LOG_RETENTION_HOURS", "24"));

        assertThat(settings.getInt("num.partitions")).isEqualTo(7);
        assertThat(settings.logRetentionMillis()).isEqualTo(86_400_000);
        assertThat(settings.logDirs()).containsExactly("/a", "/b");
    }

    @ParameterizedTest
    @CsvSource({"broker-2,0,2", "m-coordinator-11.m-coordinators.prod.svc,1000,1011", "node7,3,10"})
    void idIsCountedFromTheHostsNameWhereThatIsAskedFor(String host, String first, int id) {
        var settings = read(Map.of("millrace.node.first-id", first), Map.of("HOSTNAME", host));

        assertThat(settings.nodeId()).isEqualTo(id);
    }

    @Test
    void idThatIsSetWinsOverTheHostsName() {
        assertThat(read(Map.of("millrace.node.first-id", "0"), Map.of("HOSTNAME", "broker-2", "KAFKA_BROKER_ID", "5"))
                .nodeId()).isEqualTo(5);
        assertThat(read(Map.of(), Map.of("HOSTNAME", "broker-2")).nodeId()).isEqualTo(-1);
        assertThatThrownBy(() -> read(Map.of("millrace.node.first-id", "0"), Map.of("HOSTNAME", "laptop")))
                .isInstanceOf(StartRefused.class).hasMessageContaining("laptop");
    }

    @Test
    void addressesMayBeGivenForEachHost() {
        var settings = read(Map.of("kafka.listeners", "INTERNAL://:9092,EXTERNAL://:9094",
                "kafka.listener.security.protocol.map", "INTERNAL:PLAINTEXT,EXTERNAL:PLAINTEXT",
                "kafka.advertised.listeners",
                "INTERNAL://${HOSTNAME}.brokers:9092,EXTERNAL://${millrace.external.${HOSTNAME}}",
                "millrace.external.m-broker-1", "${HOST_IP}:31091"), Map.of("HOSTNAME", "m-broker-1", "HOST_IP",
                        "192.0.2.7"));

        assertThat(settings.advertisedListeners()).extracting(endpoint -> endpoint.host() + ":" + endpoint.port())
                .containsExactly("m-broker-1.brokers:9092", "192.0.2.7:31091");
    }

    @Test
    void variablesThatMeanNoSettingAreIgnored() {
        var settings = read(Map.of(), Map.of("KAFKA_SERVICE_HOST", "10.0.0.1", "KAFKA_PORT", "tcp://10.0.0.1:9092",
                "KAFKA_HEAP_OPTS", "-Xmx1g"));

        assertThat(settings.given()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "log.retention.hour     | 3             | kafka.log.retention.hour: unknown setting",
            "num.partitions         | 0             | kafka.num.partitions: Invalid value 0",
            "num.partitions         | abc           | kafka.num.partitions: Invalid value abc",
            "log.cleanup.policy     | keep          | kafka.log.cleanup.policy: Invalid value",
            "compression.gzip.level | 0             | kafka.compression.gzip.level: Invalid value 0",
            "listeners              | SSL://:9093   | kafka.listeners: the listener SSL asks for SSL; only PLAINTEXT",
            "listeners              | FOO://:9093   | has no entry in kafka.listener.security.protocol.map",
            "listeners              | localhost:909 | is not of the form NAME://host:port",
            "listeners              | PLAINTEXT://:99999 | 99999 in 'PLAINTEXT://:99999' is not a port",
            "advertised.listeners   | PLAINTEXT     | kafka.advertised.listeners: 'PLAINTEXT' is not of the form",
            "authorizer.class.name  | org.Acls      | kafka.authorizer.class.name: there are no ACLs so far",
            "listener.security.protocol.map | PLAINTEXT | kafka.listener.security.protocol.map: 'PLAINTEXT' is not",
    })
    void whatCannotBeTakenStopsTheStartWithItsName(String key, String value, String message) {
        assertThatThrownBy(() -> read(Map.of("kafka." + key, value), Map.of()))
                .isInstanceOf(StartRefused.class).hasMessageContaining(message);
    }

    @Test
    void allThatIsWrongIsToldAtOnce() {
        assertThatThrownBy(() -> ServerSettings.of(Map.of("num.partitions", "x", "nonsense", "1")))
                .hasMessageContaining("num.partitions").hasMessageContaining("nonsense");
    }

    @Test
    void aBadVariableOfAKnownKeyStopsTheStartToo() {
        assertThatThrownBy(() -> read(Map.of(), Map.of("KAFKA_NUM_PARTITIONS", "many")))
                .isInstanceOf(StartRefused.class).hasMessageContaining("kafka.num.partitions");
    }

    @Test
    void anIdGoesByEitherOfItsNames() {
        assertThat(ServerSettings.of(Map.of()).nodeId()).isEqualTo(-1);
        assertThat(ServerSettings.of(Map.of("broker.id", "3")).nodeId()).isEqualTo(3);
        assertThat(ServerSettings.of(Map.of("node.id", "0")).nodeId()).isZero();
        assertThat(ServerSettings.of(Map.of("broker.id", "3", "node.id", "3")).nodeId()).isEqualTo(3);
        assertThatThrownBy(() -> ServerSettings.of(Map.of("broker.id", "3", "node.id", "4")).nodeId())
                .isInstanceOf(StartRefused.class).hasMessageContaining("kafka.node.id: 4");
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {
            "-,   -, -,  604800000",
            "-,   -, 1,  3600000",
            "-,   2, 1,  120000",
            "500, 2, 1,  500",
            "-1,  2, 1,  -1",
            "-,  -1, 1,  -1",
    })
    void retentionIsTakenFromTheFinestUnit(@Nullable String millis,
            @Nullable String minutes, @Nullable String hours,
            long expected) {
        var given = new HashMap<String, String>();
        if (millis != null) {
            given.put("log.retention.ms", millis);
        }
        if (minutes != null) {
            given.put("log.retention.minutes", minutes);
        }
        if (hours != null) {
            given.put("log.retention.hours", hours);
        }

        assertThat(ServerSettings.of(given).logRetentionMillis()).isEqualTo(expected);
    }

    @Test
    void listenersKeepTheirOrderAndMayHaveNamesOfTheirOwn() {
        var settings = ServerSettings.of(Map.of(
                "listeners", "INTERNAL://:9092, EXTERNAL://[::1]:9094",
                "advertised.listeners", "INTERNAL://broker-0:9092,EXTERNAL://example.org:19094",
                "listener.security.protocol.map", "INTERNAL:PLAINTEXT,EXTERNAL:PLAINTEXT",
                "inter.broker.listener.name", "INTERNAL"));

        assertThat(settings.listeners()).containsExactly(new Endpoint("INTERNAL", "PLAINTEXT", "", 9092),
                new Endpoint("EXTERNAL", "PLAINTEXT", "::1", 9094));
        assertThat(settings.advertisedListeners()).containsExactly(
                new Endpoint("INTERNAL", "PLAINTEXT", "broker-0", 9092),
                new Endpoint("EXTERNAL", "PLAINTEXT", "example.org", 19094));
        assertThat(settings.interBrokerListener()).isEqualTo("INTERNAL");
    }

    @Test
    void securityKeysOfOneListenerAreKnown() {
        var settings = ServerSettings.of(Map.of("listener.name.external.ssl.keystore.location", "/k",
                "listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config", "x"));

        assertThat(settings.isSet("listener.name.external.ssl.keystore.location")).isTrue();
        assertThatThrownBy(() -> ServerSettings.of(Map.of("listener.name.external.nonsense", "x")))
                .isInstanceOf(StartRefused.class);
    }

    @Test
    void passwordsAreNotTold() {
        var settings = ServerSettings.of(Map.of("ssl.keystore.password", "hunter2!"));

        assertThat(settings.describe()).filteredOn(entry -> entry.name().equals("ssl.keystore.password"))
                .singleElement().satisfies(entry -> {
                    assertThat(entry.value()).isNull();
                    assertThat(entry.sensitive()).isTrue();
                    assertThat(entry.source()).isEqualTo(Source.STATIC_BROKER);
                    assertThat(entry.synonyms()).allSatisfy(synonym -> assertThat(synonym.value()).isNull());
                });
        assertThat(settings.describe().toString()).doesNotContain("hunter2!");
    }

    @Test
    void aKeyThatDoesNotExistIsABug() {
        assertThatThrownBy(() -> ServerSettings.of(Map.of()).getInt("num.partition"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
