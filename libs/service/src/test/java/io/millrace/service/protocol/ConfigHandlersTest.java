package io.millrace.service.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.ConfigOutcome;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.service.config.ConfigEntry.Source;
import io.millrace.service.config.LiveSettings;
import io.millrace.service.config.NodeLoggers;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.config.TopicSettings;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// DescribeConfigs, IncrementalAlterConfigs, AlterConfigs.
class ConfigHandlersTest {
    private static final byte TOPIC = 2;
    private static final byte BROKER = 4;
    private static final byte LOGGER = 8;

    private final NodeLoggers loggers = NodeLoggers.ofThisProcess();
    private final FakeController controller = new FakeController();
    private final ClusterImage image = Clusters.with(Clusters.usual(), "orders", Map.of("retention.ms", "5"));

    private DescribeConfigsResult describe(int version, byte type, String name, @Nullable List<String> keys) {
        var start = ServerSettings.of(Map.of("log.retention.hours", "1", "ssl.key.password", "hunter2!"));
        var handler = new DescribeConfigsHandler(() -> image, new LiveSettings(1, () -> image, start), loggers, 1);
        var resource = new DescribeConfigsResource().setResourceType(type).setResourceName(name)
                .setConfigurationKeys(keys);
        return Calls.call(handler, new DescribeConfigsRequestData().setResources(List.of(resource))
                .setIncludeSynonyms(true).setIncludeDocumentation(version >= 3), version).results().getFirst();
    }

    @Test
    void aTopicsSettingsHaveTheirSourceAndSynonyms() {
        for (int version = 1; version <= 4; version++) {
            var told = describe(version, TOPIC, "orders", List.of("retention.ms")).configs().getFirst();

            assertThat(told.value()).isEqualTo("5");
            assertThat(told.configSource()).isEqualTo((byte) 1);
            assertThat(told.readOnly()).isFalse();
            assertThat(told.synonyms()).extracting(synonym -> synonym.name() + "=" + synonym.value() + "/"
                    + synonym.source()).containsExactly("retention.ms=5/1", "log.retention.hours=1/4",
                            "log.retention.hours=168/5");
        }
    }

    @Test
    void noKeysMeansAllOfThem() {
        assertThat(describe(4, TOPIC, "orders", null).configs()).hasSizeGreaterThan(30)
                .allSatisfy(told -> assertThat(told.documentation()).isNotEmpty());
        assertThat(describe(4, TOPIC, "orders", List.of()).configs()).hasSizeGreaterThan(30);
    }

    @Test
    void thisNodeTellsItsOwnSettingsAndNoPasswords() {
        var told = describe(4, BROKER, "1", null);

        assertThat(told.configs()).hasSizeGreaterThan(200);
        assertThat(told.configs()).filteredOn(config -> config.name().equals("ssl.key.password")).singleElement()
                .satisfies(config -> {
                    assertThat(config.value()).isNull();
                    assertThat(config.isSensitive()).isTrue();
                });
        assertThat(describe(4, BROKER, "", null).errorCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
            "2, missing, UNKNOWN_TOPIC_OR_PARTITION",
            "2, a/b,     INVALID_TOPIC_EXCEPTION",
            "4, 2,       INVALID_REQUEST",
            "4, one,     INVALID_REQUEST",
            "8, 2,       INVALID_REQUEST",
            "99, x,      INVALID_REQUEST",
    })
    void whatCannotBeDescribedIsRefused(byte type, String name, Errors error) {
        assertThat(Errors.forCode(describe(4, type, name, null).errorCode())).isEqualTo(error);
    }

    private static AlterConfigsResource resource(byte type, String name, AlterableConfig... configs) {
        var resource = new AlterConfigsResource().setResourceType(type).setResourceName(name);
        for (var config : configs) {
            resource.configs().add(config);
        }
        return resource;
    }

    private static AlterableConfig change(String key, @Nullable String value, int operation) {
        return new AlterableConfig().setName(key).setValue(value).setConfigOperation((byte) operation);
    }

    private List<Errors> alter(AlterConfigsResource... resources) {
        controller.answers(command -> new AlterConfigs.Result(((AlterConfigs) command).alterations().stream()
                .map(alteration -> new ConfigOutcome(alteration.resource(), (short) 0, null)).toList()));
        var request = new IncrementalAlterConfigsRequestData();
        for (var resource : resources) {
            request.resources().add(resource);
        }
        var handler = new IncrementalAlterConfigsHandler(new ConfigForwarding(new Forwarding(controller), () -> image,
                1), loggers, 1);
        return Calls.call(handler, request, 1).responses().stream().map(told -> Errors.forCode(told.errorCode()))
                .toList();
    }

    @Test
    void changesAreForwarded() {
        var errors = alter(resource(TOPIC, "orders", change("retention.ms", "7", 0), change("flush.ms", null, 1),
                change("cleanup.policy", "compact", 2)));

        assertThat(errors).containsExactly(Errors.NONE);
        assertThat(controller.asked).containsExactly(new AlterConfigs(List.of(new ConfigAlteration(
                ConfigResource.topic("orders"), List.of(new Op("retention.ms", "7", OpType.SET),
                        new Op("flush.ms", null, OpType.DELETE),
                        new Op("cleanup.policy", "compact", OpType.APPEND)))),
                false, false));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {
            "2, orders,  message.timestamp.type, foo, 0, INVALID_CONFIG",
            "2, orders,  retention.ms,           abc, 0, INVALID_CONFIG",
            "2, orders,  min.insync.replicas,    0,   0, INVALID_CONFIG",
            "2, orders,  nonsense,               1,   0, INVALID_CONFIG",
            "2, orders,  replication.factor,     2,   0, INVALID_CONFIG",
            "2, orders,  retention.ms,           1,   2, INVALID_CONFIG",
            "2, orders,  nonsense,               1,   3, INVALID_CONFIG",
            "2, orders,  retention.ms,           -,   0, INVALID_REQUEST",
            "2, orders,  retention.ms,           1,   9, INVALID_REQUEST",
            "2, missing, retention.ms,           1,   0, UNKNOWN_TOPIC_OR_PARTITION",
            "2, '',      retention.ms,           1,   0, INVALID_REQUEST",
            "2, a/b,     retention.ms,           1,   0, INVALID_TOPIC_EXCEPTION",
            "4, 1,       log.retention.hours,       1,   0, INVALID_REQUEST",
            "4, 1,       log.retention.hours,       -,   1, INVALID_REQUEST",
            "4, 1,       nonsense,               1,   0, INVALID_CONFIG",
            "4, 1,       leader.replication.throttled.rate, -1,  0, INVALID_CONFIG",
            "4, 1,       leader.replication.throttled.rate, abc, 0, INVALID_CONFIG",
            "4, 1,       leader.replication.throttled.rate, -,   0, INVALID_REQUEST",
            "4, 1,       leader.replication.throttled.rate, 1,   2, INVALID_CONFIG",
            "4, 2,       leader.replication.throttled.rate, 1,   0, INVALID_REQUEST",
            "4, one,     leader.replication.throttled.rate, 1,   0, INVALID_REQUEST",
            "2, orders,  leader.replication.throttled.replicas, 0-1, 0, INVALID_CONFIG",
            "8, 2,       level,                  1,   0, INVALID_REQUEST",
    })
    void whatCannotBeChangedIsRefused(byte type, String name, String key, @Nullable String value, int operation,
            Errors error) {
        assertThat(alter(resource(type, name, change(key, value, operation)))).containsExactly(error);
        assertThat(controller.asked).isEmpty();
    }

    @Test
    void throttlesOfThisNodeAndOfAllAreForwarded() {
        var errors = alter(resource(BROKER, "1", change("leader.replication.throttled.rate", "7", 0), change(
                "replica.alter.log.dirs.io.max.bytes.per.second", null, 1)), resource(BROKER, "", change(
                        "follower.replication.throttled.rate", "9", 0)));

        assertThat(errors).containsExactly(Errors.NONE, Errors.NONE);
        assertThat(controller.asked).containsExactly(new AlterConfigs(List.of(new ConfigAlteration(ConfigResource
                .broker(1), List.of(new Op("leader.replication.throttled.rate", "7", OpType.SET), new Op(
                        "replica.alter.log.dirs.io.max.bytes.per.second", null, OpType.DELETE))), new ConfigAlteration(
                                ConfigResource.allBrokers(), List.of(new Op("follower.replication.throttled.rate", "9",
                                        OpType.SET)))), false, false));
    }

    @Test
    void throttleIsToldWithAllPlacesThatSetIt() {
        var rate = "leader.replication.throttled.rate";
        var throttled = image.with(image.configs().with(ConfigResource.broker(1), Map.of(rate, "7",
                "follower.replication.throttled.rate", "rubbish")).with(ConfigResource.allBrokers(), Map.of(rate,
                        "9")));
        var handler = new DescribeConfigsHandler(() -> throttled, new LiveSettings(1, () -> throttled, ServerSettings
                .of(Map.of())), loggers, 1);
        var request = new DescribeConfigsRequestData().setResources(List.of(new DescribeConfigsResource()
                .setResourceType(BROKER).setResourceName("1"), new DescribeConfigsResource().setResourceType(BROKER)
                        .setResourceName(""))).setIncludeSynonyms(true);

        var told = Calls.call(handler, request, 4).results();

        assertThat(told.getFirst().configs()).filteredOn(config -> config.name().equals(rate)).singleElement()
                .satisfies(config -> {
                    assertThat(config.value()).isEqualTo("7");
                    assertThat(config.readOnly()).isFalse();
                    assertThat(config.configSource()).isEqualTo((byte) 2);
                    assertThat(config.synonyms()).extracting(synonym -> synonym.value() + "/" + synonym.source())
                            .containsExactly("7/2", "9/3", Long.MAX_VALUE + "/5");
                });
        assertThat(told.getFirst().configs()).filteredOn(config -> config.name().equals(
                "follower.replication.throttled.rate")).singleElement().satisfies(config -> assertThat(config
                        .configSource()).isEqualTo((byte) 5));
        assertThat(told.getLast().configs()).extracting(config -> config.name() + "=" + config.value())
                .containsExactly(rate + "=9");
    }

    @Test
    void oneBadResourceDoesNotHarmItsNeighbour() {
        assertThat(alter(resource(TOPIC, "missing", change("retention.ms", "1", 0)),
                resource(TOPIC, "orders", change("retention.ms", "1", 0))))
                .containsExactly(Errors.UNKNOWN_TOPIC_OR_PARTITION, Errors.NONE);
    }

    @Test
    void keysAndResourcesMustNotBeThereTwice() {
        assertThat(alter(resource(TOPIC, "orders", change("retention.ms", "1", 0), change("retention.ms", "2", 0))))
                .containsExactly(Errors.INVALID_REQUEST);
    }

    @Test
    void theOldFormReplacesAll() {
        controller.answers(command -> new AlterConfigs.Result(
                List.of(new ConfigOutcome(ConfigResource.topic("orders"), Errors.POLICY_VIOLATION.code(), "no"))));
        var resource = new AlterConfigsRequestData.AlterConfigsResource().setResourceType(TOPIC)
                .setResourceName("orders");
        resource.configs().add(new AlterConfigsRequestData.AlterableConfig().setName("flush.ms").setValue("9"));
        var request = new AlterConfigsRequestData().setValidateOnly(true);
        request.resources().add(resource);

        var told = Calls.call(new AlterConfigsHandler(new ConfigForwarding(new Forwarding(controller), () -> image, 1)),
                request, 2).responses().getFirst();

        assertThat(Errors.forCode(told.errorCode())).isEqualTo(Errors.POLICY_VIOLATION);
        assertThat(told.errorMessage()).isEqualTo("no");
        assertThat(controller.asked).containsExactly(new AlterConfigs(List.of(new ConfigAlteration(
                ConfigResource.topic("orders"), List.of(new Op("flush.ms", "9", OpType.SET)))), true, true));
    }

    @Test
    void whatIsSetForAllNodesIsADefaultOfTopicsUntilItIsReset() {
        var set = image.with(image.configs().with(ConfigResource.allBrokers(), Map.of("log.retention.ms", "77",
                "log.segment.bytes", "not a number")));
        var live = new LiveSettings(1, () -> set, ServerSettings.of(Map.of("log.retention.hours", "1")));

        assertThat(live.get().logRetentionMillis()).isEqualTo(77);
        assertThat(live.get().getInt("log.segment.bytes")).isEqualTo(1073741824);
        assertThat(live.get()).isSameAs(live.get());
        assertThat(TopicSettings.resolve(Map.of(), live.get()).describe())
                .filteredOn(entry -> entry.name().equals("retention.ms"))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.value()).isEqualTo("77");
                    assertThat(entry.source()).isEqualTo(Source.DYNAMIC_DEFAULT_BROKER);
                });
        assertThat(LiveSettings.of(1, image, live.get()).logRetentionMillis()).isEqualTo(3_600_000);
    }

    @Test
    void whatIsSetForOneNodeWinsOverWhatIsSetForAll() {
        var set = image.with(image.configs()
                .with(ConfigResource.allBrokers(), Map.of("max.connections", "5"))
                .with(ConfigResource.broker(1), Map.of("max.connections", "9")));
        var start = ServerSettings.of(Map.of("max.connections", "3"));

        assertThat(new LiveSettings(1, () -> set, start).get().getInt("max.connections")).isEqualTo(9);
        assertThat(new LiveSettings(2, () -> set, start).get().getInt("max.connections")).isEqualTo(5);
        assertThat(new LiveSettings(1, () -> set, start).get().describe())
                .filteredOn(entry -> entry.name().equals("max.connections"))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.readOnly()).isFalse();
                    assertThat(entry.synonyms()).extracting(synonym -> synonym.value() + "/" + synonym.source().code())
                            .containsExactly("9/2", "5/3", "3/4", "2147483647/5");
                });
    }

    @Test
    void loggersTellAndTakeLevels() {
        var name = ConfigHandlersTest.class.getName();
        org.slf4j.LoggerFactory.getLogger(name);

        assertThat(alter(resource(LOGGER, "1", change(name, "DEBUG", 0)))).containsExactly(Errors.NONE);
        assertThat(describe(4, LOGGER, "1", List.of(name)).configs()).singleElement().satisfies(level -> {
            assertThat(level.value()).isEqualTo("DEBUG");
            assertThat(level.configSource()).isEqualTo((byte) 6);
        });
        assertThat(alter(resource(LOGGER, "1", change(name, null, 1)))).containsExactly(Errors.NONE);
        assertThat(describe(4, LOGGER, "1", List.of(name)).configs()).singleElement()
                .satisfies(level -> assertThat(level.value()).isNotEqualTo("DEBUG"));
        assertThat(describe(4, LOGGER, "1", List.of("root")).configs()).hasSize(1);
        assertThat(controller.asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {
            "2, root,          INFO,  0, INVALID_REQUEST",
            "1, root,          LOUD,  0, INVALID_CONFIG",
            "1, root,          -,     0, INVALID_REQUEST",
            "1, root,          -,     1, INVALID_REQUEST",
            "1, root,          INFO,  2, INVALID_REQUEST",
            "1, no.such.thing, INFO,  0, INVALID_CONFIG",
    })
    void levelsThatCannotBeAreRefused(String node, String logger, @Nullable String level, int operation,
            Errors error) {
        assertThat(alter(resource(LOGGER, node, change(logger, level, operation)))).containsExactly(error);
    }
}
