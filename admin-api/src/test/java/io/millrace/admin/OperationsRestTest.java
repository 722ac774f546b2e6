package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.millrace.admin.operation.OperationRunner;
import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterReassignments;
import io.millrace.metadata.command.AlterReassignments.Outcome;
import io.millrace.metadata.command.ElectLeaders;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.json.JsonMapper;

/// Plans, proposals and operations, on a controller that moves what it is asked to and copies nothing by itself.
class OperationsRestTest extends Rest {
    @Autowired
    private OperationRunner runner;
    private final List<String> asked = new ArrayList<>();
    private final Map<Integer, PartitionImage> partitions = new HashMap<>();

    @BeforeEach
    void cluster() {
        for (int id = 1; id < 4; id++) {
            fake.addBroker(id);
        }
        is(new PartitionImage(0, List.of(1, 2), List.of(1, 2), List.of(), List.of(), 1, 0, 0));
        is(new PartitionImage(1, List.of(1, 2), List.of(1, 2), List.of(), List.of(), 1, 0, 0));
        fake.answer(DescribeLogDirsRequestData.class, _ -> new DescribeLogDirsResponseData().setResults(List.of(
                new DescribeLogDirsResult().setTopics(List.of(new DescribeLogDirsTopic().setName("big").setPartitions(
                        List
                                .of(new DescribeLogDirsPartition().setPartitionIndex(0).setPartitionSize(1_000))))))));
        fake.answer(AlterConfigs.class, command -> {
            asked.add("configs " + command.alterations().size());
            fake.set(command);
            return new AlterConfigs.Result(List.of());
        });
        fake.answer(ElectLeaders.class, _ -> new ElectLeaders.Result(List.of()));
        fake.answer(AlterReassignments.class, command -> new AlterReassignments.Result(command.targets().stream().map(
                target -> {
                    if (!command.validateOnly()) {
                        asked.add(target.partition() + " to " + target.replicas());
                        moves(target.partition(), java.util.Objects.requireNonNull(target.replicas()));
                    }
                    return new Outcome(target.topic(), target.partition(), (short) 0, null);
                }).toList()));
    }

    private void is(PartitionImage partition) {
        partitions.put(partition.partition(), partition);
        var topic = TopicImage.of("big", new UUID(7, 7));
        for (int i = 0; i < partitions.size(); i++) {
            topic = topic.with(java.util.Objects.requireNonNull(partitions.get(i)));
        }
        fake.add(topic);
    }

    private void moves(int partition, List<Integer> to) {
        var now = java.util.Objects.requireNonNull(partitions.get(partition));
        var origin = now.replicas().stream().filter(id -> !now.adding().contains(id)).toList();
        var all = new ArrayList<>(to);
        origin.stream().filter(id -> !to.contains(id)).forEach(all::add);
        is(new PartitionImage(partition, all, now.isr(), to.stream().filter(id -> !origin.contains(id)).toList(), origin
                .stream().filter(id -> !to.contains(id)).toList(), now.leader(), 0, 0));
    }

    private void arrives(int partition) {
        var now = java.util.Objects.requireNonNull(partitions.get(partition));
        var target = now.replicas().stream().filter(id -> !now.removing().contains(id)).toList();
        is(new PartitionImage(partition, target, target, List.of(), List.of(), target.getFirst(), 0, 0));
    }

    private String begin(String path, String body) throws Exception {
        var location = call("POST", path, body).andExpect(status().isAccepted()).andExpect(header().exists("Location"))
                .andReturn().getResponse().getHeader("Location");
        return java.util.Objects.requireNonNull(location).replace(SELF, "");
    }

    private static final String MOVE = """
            {"partitions":[{"topic_name":"big","partition_id":0,"replicas":[3,2]}],"throttle_bytes_per_sec":500}""";

    @Test
    void moveIsThrottledSeenAndOverOnceItsThrottleIsGone() throws Exception {
        var path = begin("/reassignments", MOVE);
        runner.step();
        runner.step();
        assertThat(asked).contains("0 to [3, 2]", "configs 4");
        call("GET", path).andExpect(jsonPath("$.state").value("RUNNING"))
                .andExpect(jsonPath("$.type").value("REASSIGNMENT"))
                .andExpect(jsonPath("$.progress.bytes_total").value(1_000))
                .andExpect(jsonPath("$.partitions[0].state").value("COPYING"))
                .andExpect(jsonPath("$.throttle_bytes_per_sec").value(500));
        call("PATCH", path, "{\"throttle_bytes_per_sec\":900}").andExpect(jsonPath("$.throttle_bytes_per_sec").value(
                900));

        arrives(0);
        runner.step();
        runner.step();
        call("GET", path).andExpect(jsonPath("$.state").value("COMPLETED")).andExpect(jsonPath("$.cancellable").value(
                false));
        assertThat(fake.cluster().image().configs().byResource().keySet()).extracting(resource -> resource.name())
                .containsExactly("orders");
        call("DELETE", path).andExpect(status().isConflict());
        call("GET", path.replace("operations", "reassignments")).andExpect(status().isOk());
        call("GET", "/operations?state=COMPLETED").andExpect(jsonPath("$.data.length()").value(1));
    }

    @Test
    void serviceThatHasJustBegunAndHeardOfNothingTakesNothingForGone() throws Exception {
        var path = begin("/reassignments", MOVE);
        runner.step();
        runner.step();

        fake.unheardOf(runner::step);

        call("GET", path).andExpect(jsonPath("$.state").value("RUNNING")).andExpect(jsonPath("$.partitions[0].state")
                .value("COPYING"));
    }

    @Test
    void anotherNumberOfReplicasIsAnOperation() throws Exception {
        call("PATCH", "/topics/big", "{\"replication_factor\":3}").andExpect(status().isAccepted())
                .andExpect(header().exists("Location"))
                .andExpect(jsonPath("$.type").value("REASSIGNMENT"))
                .andExpect(jsonPath("$.partitions.length()").value(2))
                .andExpect(jsonPath("$.partitions[0].to[0]").value(1))
                .andExpect(jsonPath("$.partitions[0].to.length()").value(3));
        call("PATCH", "/topics/big", "{\"replication_factor\":1}").andExpect(status().isConflict());
        assertThat(asked).isEmpty();
        runner.step();
        assertThat(asked).hasSize(2).anyMatch(one -> one.startsWith("0 to [1, 2, "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"replication_factor\":0}", "{\"replication_factor\":9}",
            "{\"replication_factor\":\"2\"}",
            "{\"partitions_count\":5,\"replication_factor\":2}", "{\"partitions_count\":null}", "{\"replicas\":2}"})
    void topicsAreNotChangedToWhatCannotBe(String body) throws Exception {
        call("PATCH", "/topics/big", body).andExpect(status().isBadRequest());
        call("GET", "/operations").andExpect(jsonPath("$.data.length()").value(0));
    }

    @Test
    void operationIsPausedResumedAndCalledOff() throws Exception {
        var path = begin("/reassignments", MOVE);
        call("PATCH", path, "{\"state\":\"PAUSED\"}").andExpect(jsonPath("$.state").value("PAUSED"));
        runner.step();
        assertThat(asked).noneMatch(one -> one.startsWith("0 to"));
        call("PATCH", path, "{\"state\":\"RUNNING\"}");
        runner.step();
        runner.step();
        call("DELETE", path).andExpect(status().isAccepted()).andExpect(jsonPath("$.cancelling").value(true));
        runner.step();
        assertThat(asked).contains("0 to [1, 2]");
        arrives(0);
        runner.step();
        runner.step();
        call("GET", path).andExpect(jsonPath("$.state").value("CANCELLED"));
        call("PATCH", path, "{}").andExpect(status().isBadRequest());
        call("PATCH", "/operations/none", "{\"state\":\"PAUSED\"}").andExpect(status().isNotFound());
    }

    @Test
    void partitionBelongsToOneOperationAtATime() throws Exception {
        begin("/reassignments", MOVE);
        call("POST", "/reassignments", MOVE).andExpect(status().isConflict());
    }

    @Test
    void whatTheControllerRefusesLaterFailsAndWhatMayPassIsAskedAgain() throws Exception {
        var path = begin("/reassignments", MOVE);
        fake.answer(AlterReassignments.class, command -> new AlterReassignments.Result(List.of(new Outcome("big", 0,
                Errors.NOT_CONTROLLER.code(), null))));
        runner.step();
        call("GET", path).andExpect(jsonPath("$.state").value("RUNNING"));
        fake.answer(AlterReassignments.class, command -> new AlterReassignments.Result(List.of(new Outcome("big", 0,
                Errors.INVALID_REPLICA_ASSIGNMENT.code(), "not there"))));
        runner.step();
        runner.step();
        runner.step();
        call("GET", path).andExpect(jsonPath("$.state").value("FAILED"))
                .andExpect(jsonPath("$.errors[0]").value("big-0: big-0: not there"));
    }

    @Test
    void planIsCarriedOutUnlessItIsStale() throws Exception {
        var body = """
                {"goal":"REMOVE_BROKERS","brokers":[1],"topics":["big"],"throttle_bytes_per_sec":100}""";
        var answer = call("POST", "/reassignments:plan", body).andExpect(status().isOk())
                .andExpect(jsonPath("$.moves.length()").value(2))
                .andExpect(jsonPath("$.bytes_total").value(1_000))
                .andExpect(jsonPath("$.estimated_seconds").value(10)).andReturn().getResponse().getContentAsString();
        var id = new JsonMapper().readTree(answer).path("plan_id").asString();
        call("GET", "/reassignments/plans/" + id).andExpect(status().isOk());
        assertThat(asked).isEmpty();

        moves(0, List.of(3, 2));
        call("POST", "/reassignments", "{\"plan_id\":\"" + id + "\"}").andExpect(status().isPreconditionFailed())
                .andExpect(jsonPath("$.error_code").value(41201));
        moves(0, List.of(1, 2));
        arrives(0);
        begin("/reassignments", "{\"plan_id\":\"" + id + "\"}");
    }

    @Test
    void brokerIsDrainedAndLeadsAgain() throws Exception {
        begin("/brokers/1:drain-leaders", "{}");
        runner.step();
        assertThat(asked).contains("0 to [2, 1]", "1 to [2, 1]");
        runner.step();
        begin("/brokers/1:resume-leaders", "{}");
        asked.clear();
        runner.step();
        assertThat(asked).contains("0 to [1, 2]", "1 to [1, 2]");
        call("POST", "/brokers/2:resume-leaders").andExpect(status().isConflict());
    }

    @Test
    void proposalEvensOutAndIsDiscardedOrCarriedOut() throws Exception {
        call("GET", "/balance").andExpect(status().isOk()).andExpect(jsonPath("$.score").isNumber());
        var answer = call("POST", "/balance/proposals", "{\"leaders_only\":true,\"exclude_topics\":[\"orders\","
                + "\"__consumer_offsets\"]}").andExpect(status().isOk())
                .andExpect(jsonPath("$.plan.bytes_total").value(0)).andExpect(jsonPath("$.plan.moves.length()").value(
                        1))
                .andReturn().getResponse().getContentAsString();
        var path = "/balance/proposals/" + new JsonMapper().readTree(answer).path("proposal_id").asString();
        call("GET", path).andExpect(status().isOk());
        begin(path + ":execute", "{}");
        call("DELETE", path).andExpect(status().isNoContent());
        call("GET", path).andExpect(status().isNotFound());
    }

    @Test
    void brokerIsDecommissionedAndRecommissionedOrThatIsPlannedOnly() throws Exception {
        call("POST", "/brokers/1:decommission", "{\"dry_run\":true}").andExpect(status().isOk())
                .andExpect(jsonPath("$.kind").value("KafkaReassignmentPlan"));
        begin("/brokers/1:decommission", "{}");
        call("POST", "/brokers/1:recommission", "{}").andExpect(status().isConflict());
        runner.step();
        runner.step();
        arrives(0);
        arrives(1);
        runner.step();
        runner.step();
        assertThat(java.util.Objects.requireNonNull(partitions.get(0)).replicas()).doesNotContain(1);

        call("POST", "/brokers/1:recommission", "{\"dry_run\":true}").andExpect(status().isOk())
                .andExpect(jsonPath("$.moves.length()").value(2));
        begin("/brokers/1:recommission", "{}");
        asked.clear();
        runner.step();
        assertThat(asked).contains("0 to [1, 2]", "1 to [1, 2]");
        call("POST", "/brokers/2:recommission", "{}").andExpect(status().isConflict());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{\"goal\":\"FASTER\"}|400", "{\"goal\":\"CHANGE_RF\"}|400",
            "{\"goal\":\"CHANGE_RF\",\"replication_factor\":9}|400", "{\"goal\":\"CUSTOM\"}|400",
            "{\"goal\":\"REMOVE_BROKERS\",\"brokers\":[77]}|404", "{\"goal\":\"SPREAD_RACKS\",\"topics\":[\"no\"]}|404",
            "{\"goal\":\"SPREAD_RACKS\",\"topic_pattern\":\"(\"}|400"})
    void planThatCannotBeMadeIsRefused(String body, int status) throws Exception {
        call("POST", "/reassignments:plan", body).andExpect(status().is(status));
    }
}
