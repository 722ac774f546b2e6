package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.ConfigOutcome;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Settings of brokers, of all of them, of topics, and levels of loggers.
class ConfigsRestTest extends Rest {
    private final List<Integer> describedTypes = new ArrayList<>();

    @BeforeEach
    void answers() {
        fake.answer(AlterConfigs.class, command -> new AlterConfigs.Result(command.alterations().stream()
                .map(alteration -> new ConfigOutcome(alteration.resource(), (short) 0, null)).toList()));
        fake.answer(DescribeConfigsRequestData.class, request -> {
            var resource = request.resources().getFirst();
            describedTypes.add((int) resource.resourceType());
            return new DescribeConfigsResponseData().setResults(List.of(new DescribeConfigsResult().setConfigs(List.of(
                    new DescribeConfigsResourceResult().setName("n").setValue(resource.resourceName())
                            .setConfigSource((byte) 3)))));
        });
    }

    private ConfigAlteration altered() {
        return ((AlterConfigs) fake.commands.stream().toList().getLast()).alterations().getLast();
    }

    @ParameterizedTest
    @CsvSource({"/brokers/0/configs, BROKER, 0", "/broker-configs, BROKER, <default>",
            "/consumer-groups/shop/configs, GROUP, shop", "/consumer-groups/a%2Fb/configs, GROUP, a/b"})
    void settingsAreReadSetResetAndAltered(String path, ConfigType type, String resource) throws Exception {
        var owner = new ConfigResource(type, resource);
        call("GET", path).andExpect(status().isOk()).andExpect(header().exists("ETag"))
                .andExpect(jsonPath("$.data[0].metadata.self").value(SELF + path + "/n"));
        call("GET", path + "/n").andExpect(status().isOk())
                .andExpect(jsonPath("$.source").value("DYNAMIC_DEFAULT_BROKER_CONFIG"));

        call("PUT", path + "/n", "{\"value\":\"1\"}").andExpect(status().isNoContent());
        assertThat(altered()).isEqualTo(new ConfigAlteration(owner, List.of(new Op("n", "1", OpType.SET))));
        call("DELETE", path + "/n").andExpect(status().isNoContent());
        assertThat(altered()).isEqualTo(new ConfigAlteration(owner, List.of(new Op("n", null, OpType.DELETE))));
        call("POST", path + ":alter", "{\"data\":[{\"name\":\"n\",\"value\":\"1\",\"operation\":\"APPEND\"}]}")
                .andExpect(status().isNoContent());
        assertThat(altered()).isEqualTo(new ConfigAlteration(owner, List.of(new Op("n", "1", OpType.APPEND))));
    }

    @Test
    void settingsOfAllBrokersAreNamedAsConfluentDoes() throws Exception {
        call("GET", "/broker-configs").andExpect(jsonPath("$.kind").value("KafkaClusterConfigList"))
                .andExpect(jsonPath("$.data[0].config_type").value("BROKER"))
                .andExpect(jsonPath("$.data[0].broker_id").doesNotExist());
    }

    @Test
    void settingsOfEveryBrokerAndOfEveryTopicComeInOneList() throws Exception {
        call("GET", "/brokers/-/configs").andExpect(jsonPath("$.kind").value("KafkaBrokerConfigList"))
                .andExpect(jsonPath("$.data[0].broker_id").value(0));
        call("GET", "/topics/-/configs").andExpect(jsonPath("$.kind").value("KafkaTopicConfigList"))
                .andExpect(jsonPath("$.data[0].topic_name").value("orders"));
    }

    @Test
    void deadBrokerDoesNotEmptyTheList() throws Exception {
        fake.fail(DescribeConfigsRequestData.class, new java.io.IOException("gone"));
        call("GET", "/brokers/-/configs").andExpect(status().isOk()).andExpect(jsonPath("$.data").isEmpty());
    }

    @Test
    void severalTopicsAreCheckedBeforeAnyIsChanged() throws Exception {
        var body = """
                {"data":[{"topic_name":"orders","data":[{"name":"a","value":"1"}]},
                {"topic_name":"__consumer_offsets","data":[{"name":"a","operation":"DELETE"}]}]}""";
        call("POST", "/topics/-/configs:alter", body).andExpect(status().isNoContent());
        assertThat(fake.commands).extracting(command -> ((AlterConfigs) command).validateOnly()).containsExactly(true,
                false);
        call("POST", "/topics/-/configs:alter", body.replace("__consumer_offsets", "orders"))
                .andExpect(status().isBadRequest());
        call("POST", "/topics/-/configs:alter", body.replace("__consumer_offsets", "none"))
                .andExpect(status().isNotFound()).andExpect(jsonPath("$.error_code").value(40403));
    }

    @Test
    void writeThatExpectsAnotherStateIsRefused() throws Exception {
        var tag = Objects.requireNonNull(call("GET", "/topics/orders/configs").andReturn().getResponse().getHeader(
                "ETag"));
        http.perform(request("PUT", CLUSTER + "/topics/orders/configs/retention.ms", "{\"value\":\"1\"}").header(
                "If-Match", tag)).andExpect(status().isNoContent());
        assertThat('"' + altered().expected() + '"').isEqualTo(tag);

        fake.answer(AlterConfigs.class, command -> new AlterConfigs.Result(List.of(new ConfigOutcome(ConfigResource
                .topic("orders"), Errors.INVALID_UPDATE_VERSION.code(), "changed"))));
        http.perform(request("PUT", CLUSTER + "/topics/orders/configs/retention.ms", "{\"value\":\"1\"}").header(
                "If-Match", "\"old\"")).andExpect(status().isPreconditionFailed())
                .andExpect(jsonPath("$.error_code").value(41201));
        http.perform(request("DELETE", CLUSTER + "/topics/orders/configs/retention.ms").header("If-Match", "x"))
                .andExpect(status().isBadRequest());
    }

    @Test
    void loggersAreListedSetAndReset() throws Exception {
        var changes = new ArrayList<String>();
        fake.answer(IncrementalAlterConfigsRequestData.class, request -> {
            var resource = request.resources().iterator().next();
            resource.configs().forEach(change -> changes.add(resource.resourceType() + " " + resource.resourceName()
                    + " " + change.name() + " " + change.value() + " " + change.configOperation()));
            return new IncrementalAlterConfigsResponseData().setResponses(List.of(new AlterConfigsResourceResponse()));
        });
        call("GET", "/brokers/0/loggers").andExpect(jsonPath("$.data[0].name").value("n"));
        call("PUT", "/brokers/0/loggers/n", "{\"level\":\"DEBUG\"}").andExpect(status().isNoContent());
        call("DELETE", "/brokers/0/loggers/n").andExpect(status().isNoContent());

        assertThat(changes).containsExactly("8 0 n DEBUG 0", "8 0 n null 1");
        assertThat(describedTypes).containsOnly(8);
        call("PUT", "/brokers/0/loggers/n", "{\"level\":\"LOUD\"}").andExpect(status().isBadRequest());
        call("PUT", "/brokers/7/loggers/n", "{\"level\":\"DEBUG\"}").andExpect(status().isNotFound());
    }
}
