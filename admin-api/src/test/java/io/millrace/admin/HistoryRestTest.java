package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.millrace.admin.history.ConfigHistory;
import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigOutcome;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.MetadataVersion;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.json.JsonMapper;

/// What settings were, and where they are not what they should be.
class HistoryRestTest extends Rest {
    private static final ConfigResource ORDERS = ConfigResource.topic("orders");
    @Autowired
    private ConfigHistory history;
    private final List<AlterConfigs> altered = new ArrayList<>();

    @BeforeEach
    void controller() {
        fake.answer(AlterConfigs.class, command -> {
            altered.add(command);
            fake.set(command);
            return new AlterConfigs.Result(command.alterations().stream().map(alteration -> new ConfigOutcome(alteration
                    .resource(), (short) 0, null)).toList());
        });
    }

    private static ClusterImage image(long sequence, Map<String, String> values) {
        var image = ClusterImage.EMPTY.at(new MetadataVersion(2, sequence));
        return image.with(image.configs().with(ORDERS, values));
    }

    private void changes(ConfigHistory seenBy, ClusterImage before, ClusterImage after) {
        seenBy.changed(before, after, new Changes(Set.of(), Set.of(), Set.of(), Set.of(ORDERS), Set.of()));
    }

    private String first() throws Exception {
        return new JsonMapper().readTree(call("GET", "/config-history").andReturn().getResponse().getContentAsString())
                .at("/data/0/change_id").asString();
    }

    @Test
    void changeIsWrittenDownOnceHoweverManyInstancesSeeIt() throws Exception {
        var other = new ConfigHistory(documents, java.time.Clock.systemUTC(), Runnable::run);
        var before = image(1, Map.of("retention.ms", "1", "segment.ms", "7"));
        var after = image(2, Map.of("retention.ms", "2", "segment.ms", "7", "max.message.bytes", "9"));
        changes(history, before, after);
        changes(other, before, after);

        call("GET", "/config-history").andExpect(status().isOk()).andExpect(jsonPath("$.data.length()").value(1))
                .andExpect(jsonPath("$.data[0].resource_type").value("TOPIC"))
                .andExpect(jsonPath("$.data[0].resource_name").value("orders"))
                .andExpect(jsonPath("$.data[0].metadata_offset").value(2))
                .andExpect(jsonPath("$.data[0].before['retention.ms']").value("1"))
                .andExpect(jsonPath("$.data[0].before.length()").value(1))
                .andExpect(jsonPath("$.data[0].after['retention.ms']").value("2"))
                .andExpect(jsonPath("$.data[0].after.length()").value(2));
        call("GET", "/config-history?resource=topic:orders&since=2020-01-01T00:00:00Z")
                .andExpect(jsonPath("$.data.length()").value(1));
        call("GET", "/config-history?resource=topic:other").andExpect(jsonPath("$.data").isEmpty());
        call("GET", "/config-history?since=2999-01-01T00:00:00Z").andExpect(jsonPath("$.data").isEmpty());
        call("GET", "/config-history/" + first()).andExpect(status().isOk());
        call("GET", "/config-history/none").andExpect(status().isNotFound());
    }

    @Test
    void whatChangedWhileNobodyLookedIsFoundByTheNextInstance() throws Exception {
        changes(history, image(1, Map.of()), image(2, Map.of("retention.ms", "2")));
        new ConfigHistory(documents, java.time.Clock.systemUTC(), Runnable::run).changed(ClusterImage.EMPTY, image(9,
                Map.of("retention.ms", "3")), new Changes(Set.of(), Set.of(), Set.of(), Set.of(), Set.of()));

        call("GET", "/config-history").andExpect(jsonPath("$.data.length()").value(2))
                .andExpect(jsonPath("$.data[0].before['retention.ms']").value("2"))
                .andExpect(jsonPath("$.data[0].after['retention.ms']").value("3"));
    }

    @Test
    void changeIsTakenBackUnlessSomebodyHasChangedItSince() throws Exception {
        changes(history, image(1, Map.of("segment.ms", "7")), image(2, Map.of("retention.ms", "1000")));
        call("POST", "/config-history/" + first() + ":revert").andExpect(status().isNoContent());
        assertThat(altered.getFirst().alterations().getFirst().ops()).extracting(op -> op.key() + " " + op.value())
                .containsExactly("retention.ms null", "segment.ms 7");

        call("POST", "/config-history/" + first() + ":revert").andExpect(status().isConflict())
                .andExpect(jsonPath("$.error_code").value(40902));
        call("POST", "/config-history/none:revert").andExpect(status().isNotFound());
        assertThat(altered).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/config-history?since=yesterday", "/config-history?resource=orders",
            "/config-history?resource=user:u", "/config-drift?scope=none"})
    void questionThatCannotBeRightIsRefused(String path) throws Exception {
        call("GET", path).andExpect(status().isBadRequest()).andExpect(jsonPath("$.error_code").value(400));
    }

    private static DescribeConfigsResourceResult setting(String name, String value, int source, String... started) {
        var told = new DescribeConfigsResourceResult().setName(name).setValue(value).setConfigSource((byte) source);
        return started.length == 0
                ? told
                : told.setSynonyms(List.of(new DescribeConfigsSynonym().setName(name).setValue(started[0]).setSource(
                        (byte) 4)));
    }

    @Test
    void driftIsWhatBrokersDoNotAgreeOnWhatWasOverriddenAndWhatIsNotAsDeclared() throws Exception {
        fake.addBroker(1);
        fake.answer(DescribeConfigsRequestData.class, request -> {
            var name = request.resources().getFirst().resourceName();
            return new DescribeConfigsResponseData().setResults(List.of(new DescribeConfigsResult().setConfigs(
                    switch (name) {
                        case "0" -> List.of(setting("broker.id", "0", 4), setting("log.retention.hours", "24", 4, "24"),
                                setting("max.connections", "5", 2, "9"));
                        case "1" -> List.of(setting("broker.id", "1", 4), setting("log.retention.hours", "48", 4, "48"),
                                setting("max.connections", "5", 2));
                        default -> List.of(setting("retention.ms", "1000", 1));
                    })));
        });
        call("GET", "/config-baseline").andExpect(status().isNotFound());
        call("GET", "/config-drift?scope=brokers").andExpect(status().isOk()).andExpect(jsonPath("$.data.length()")
                .value(2)).andExpect(jsonPath("$.data[0].reason").value("BETWEEN_BROKERS"))
                .andExpect(jsonPath("$.data[0].name").value("log.retention.hours"))
                .andExpect(jsonPath("$.data[0].values[1].value").value("48"))
                .andExpect(jsonPath("$.data[1].reason").value("STATIC_AND_DYNAMIC"))
                .andExpect(jsonPath("$.data[1].expected").value("9"))
                .andExpect(jsonPath("$.data[1].values[0].broker_id").value(0));

        var baseline = """
                {"brokers":{"log.retention.hours":"24"},
                "topics":{"orders":{"retention.ms":"7"},"none":{"retention.ms":"7"}}}""";
        call("PUT", "/config-baseline", baseline).andExpect(status().isNoContent());
        call("PUT", "/config-baseline", baseline).andExpect(status().isNoContent());
        call("GET", "/config-baseline").andExpect(jsonPath("$.brokers['log.retention.hours']").value("24"));
        call("GET", "/config-drift").andExpect(jsonPath("$.data.length()").value(5));
        call("GET", "/config-drift?scope=topics").andExpect(jsonPath("$.data.length()").value(2))
                .andExpect(jsonPath("$.data[1].topic_name").value("orders"))
                .andExpect(jsonPath("$.data[1].expected").value("7"))
                .andExpect(jsonPath("$.data[1].values[0].value").value("1000"));
        call("DELETE", "/config-baseline").andExpect(status().isNoContent());
        call("GET", "/config-drift?scope=topics").andExpect(jsonPath("$.data").isEmpty());
    }
}
