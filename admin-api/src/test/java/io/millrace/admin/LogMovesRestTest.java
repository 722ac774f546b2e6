package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.util.ArrayList;
import java.util.List;

import io.millrace.admin.operation.OperationRunner;
import io.millrace.metadata.command.AlterConfigs;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirPartitionResult;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirTopicResult;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.json.JsonMapper;

/// Logs of a broker with three directories, one of which has failed.
class LogMovesRestTest extends Rest {
    private static final String MOVE = """
            {"replicas":[{"topic":"orders","partition":0,"target_dir":"/b"}],"throttle_bytes_per_sec":1000}""";
    private static final String RATE = "replica.alter.log.dirs.io.max.bytes.per.second";
    @Autowired
    private OperationRunner runner;
    private final List<String> asked = new ArrayList<>();
    private final List<String> throttles = new ArrayList<>();

    @BeforeEach
    void broker() {
        lies("/a", null, 0);
        answers((short) 0);
        fake.answer(AlterConfigs.class, command -> {
            command.alterations().forEach(alteration -> alteration.ops().forEach(op -> throttles.add(alteration
                    .resource().name() + " " + op.key() + "=" + op.value())));
            fake.set(command);
            return new AlterConfigs.Result(List.of());
        });
    }

    private void lies(String directory, @org.jspecify.annotations.Nullable String future, long bytes) {
        fake.answer(DescribeLogDirsRequestData.class, _ -> new DescribeLogDirsResponseData().setResults(List.of(
                told("/a", directory, future, bytes), told("/b", directory, future, bytes), new DescribeLogDirsResult()
                        .setLogDir("/c").setErrorCode((short) 56))));
    }

    private static DescribeLogDirsResult told(String path, String directory,
            @org.jspecify.annotations.Nullable String future, long bytes) {
        var logs = new ArrayList<DescribeLogDirsPartition>();
        if (path.equals(directory)) {
            logs.add(new DescribeLogDirsPartition().setPartitionSize(100));
        }
        if (path.equals(future)) {
            logs.add(new DescribeLogDirsPartition().setPartitionSize(bytes).setIsFutureKey(true));
        }
        return new DescribeLogDirsResult().setLogDir(path).setTopics(logs.isEmpty()
                ? List.of()
                : List.of(new DescribeLogDirsTopic().setName("orders").setPartitions(logs)));
    }

    private void answers(short error) {
        fake.answer(AlterReplicaLogDirsRequestData.class, request -> {
            request.dirs().forEach(directory -> directory.topics().forEach(topic -> asked.add(directory.path() + " "
                    + topic.name() + topic.partitions())));
            return new AlterReplicaLogDirsResponseData().setResults(List.of(new AlterReplicaLogDirTopicResult()
                    .setTopicName("orders").setPartitions(List.of(new AlterReplicaLogDirPartitionResult().setErrorCode(
                            error)))));
        });
    }

    private String begun() throws Exception {
        var answer = call("POST", "/brokers/0/log-dirs:move", MOVE).andExpect(status().isAccepted()).andReturn()
                .getResponse().getContentAsString();
        return "/operations/" + new JsonMapper().readTree(answer).path("operation_id").asString();
    }

    @Test
    void logIsOnItsWayUntilItLiesInItsNewPlace() throws Exception {
        var operation = begun();
        runner.step();
        lies("/a", "/b", 40);
        runner.step();
        call("GET", operation).andExpect(jsonPath("$.state").value("RUNNING"))
                .andExpect(jsonPath("$.type").value("MOVE_LOGS")).andExpect(jsonPath("$.broker_id").value(0))
                .andExpect(jsonPath("$.request.replicas[0].target_dir").value("/b"))
                .andExpect(jsonPath("$.progress.bytes_total").value(100))
                .andExpect(jsonPath("$.progress.bytes_done").value(40))
                .andExpect(jsonPath("$.partitions[0].state").value("COPYING"));
        lies("/b", null, 0);
        runner.step();
        runner.step();

        call("GET", operation).andExpect(jsonPath("$.state").value("COMPLETED"))
                .andExpect(jsonPath("$.progress.done").value(1))
                .andExpect(jsonPath("$.progress.bytes_done").value(100));
        assertThat(asked).containsOnly("/b orders[0]");
        assertThat(throttles).containsExactly("0 " + RATE + "=1000", "0 " + RATE + "=null");
    }

    @Test
    void moveThatIsCalledOffGoesBack() throws Exception {
        var operation = begun();
        runner.step();
        lies("/a", "/b", 40);
        call("PATCH", operation, "{\"throttle_bytes_per_sec\":5}").andExpect(status().isOk());
        call("DELETE", operation).andExpect(status().isAccepted());
        runner.step();
        lies("/a", null, 0);
        runner.step();
        runner.step();

        call("GET", operation).andExpect(jsonPath("$.state").value("CANCELLED"))
                .andExpect(jsonPath("$.partitions[0].state").value("CANCELLED"));
        assertThat(asked).containsExactly("/b orders[0]", "/a orders[0]");
        assertThat(throttles).last().isEqualTo("0 " + RATE + "=null");
    }

    @Test
    void refusalOfTheBrokerEndsIt() throws Exception {
        answers((short) 57);
        var operation = begun();
        runner.step();
        runner.step();
        runner.step();
        call("GET", operation).andExpect(jsonPath("$.state").value("FAILED"))
                .andExpect(jsonPath("$.partitions[0].error").isNotEmpty());
    }

    @Test
    void brokerThatIsAwayIsWaitedFor() throws Exception {
        var operation = begun();
        fake.fail(DescribeLogDirsRequestData.class, new java.io.IOException("gone"));
        fake.fail(AlterReplicaLogDirsRequestData.class, new java.io.IOException("gone"));
        runner.step();
        call("GET", operation).andExpect(jsonPath("$.state").value("RUNNING"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"/brokers/0|{}|400|400", "/brokers/0|{\"replicas\":[]}|400|400",
            "/brokers/0|{\"replicas\":[{\"topic\":\"orders\",\"partition\":0}]}|400|400",
            "/brokers/0|{\"replicas\":[{\"topic\":\"orders\",\"partition\":-1,\"target_dir\":\"/b\"}]}|400|400",
            "/brokers/0|{\"replicas\":[{\"topic\":\"orders\",\"partition\":0,\"target_dir\":\"/c\"}]}|400|40002",
            "/brokers/0|{\"replicas\":[{\"topic\":\"orders\",\"partition\":0,\"target_dir\":\"/x\"}]}|400|40002",
            "/brokers/0|{\"replicas\":[{\"topic\":\"orders\",\"partition\":1,\"target_dir\":\"/b\"}]}|400|40002",
            "/brokers/0|{\"replicas\":[{\"topic\":\"none\",\"partition\":0,\"target_dir\":\"/b\"}]}|404|40403",
            "/brokers/0|{\"replicas\":[{\"topic\":\"orders\",\"partition\":0,\"target_dir\":\"/b\"},"
                    + "{\"topic\":\"orders\",\"partition\":0,\"target_dir\":\"/b\"}]}|400|400",
            "/brokers/9|{\"replicas\":[{\"topic\":\"orders\",\"partition\":0,\"target_dir\":\"/b\"}]}|404|404"})
    void requestThatCannotBeRightIsRefused(String broker, String body, int status, int code) throws Exception {
        call("POST", broker + "/log-dirs:move", body).andExpect(status().is(status))
                .andExpect(jsonPath("$.error_code").value(code));
        assertThat(store.all()).isEmpty();
    }
}
