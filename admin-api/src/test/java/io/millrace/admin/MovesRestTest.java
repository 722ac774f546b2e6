package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.startsWith;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import com.sun.net.httpserver.HttpServer;
import io.millrace.metadata.command.AlterReassignments;
import io.millrace.metadata.command.AlterReassignments.Outcome;
import io.millrace.metadata.command.AlterReassignments.Target;
import io.millrace.metadata.command.ElectLeaders;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.MediaType;

/// Reassignments, elections, and how far replicas are.
class MovesRestTest extends Rest {

    @BeforeEach
    void topic() {
        fake.add(TopicImage.of("moved", new UUID(5, 5))
                .with(new PartitionImage(0, List.of(0, 1), List.of(0, 1), List.of(), List.of(), 0, 3, 4))
                .with(new PartitionImage(1, List.of(4, 0, 1), List.of(0, 1), List.of(4), List.of(0), 0, 3, 4))
                .with(new PartitionImage(2, List.of(4, 0), List.of(0, 4), List.of(4), List.of(0), 0, 3, 4)));
    }

    @ParameterizedTest
    @CsvSource({"/topics/-/partitions/-/reassignment", "/topics/moved/partitions/-/reassignment", "/reassignments"})
    void whatMovesIsListed(String path) throws Exception {
        http.perform(get(CLUSTER + path)).andExpect(status().isOk())
                .andExpect(jsonPath("$.kind").value("KafkaReassignmentList"))
                .andExpect(jsonPath("$.metadata.self").value(SELF + path))
                .andExpect(jsonPath("$.data.length()").value(2))
                .andExpect(jsonPath("$.data[0].partition_id").value(1))
                .andExpect(jsonPath("$.data[0].state").value("COPYING"))
                .andExpect(jsonPath("$.data[1].state").value("SWITCHING"));
    }

    @Test
    void moveSaysWhatComesAndWhatGoes() throws Exception {
        http.perform(get(CLUSTER + "/topics/moved/partitions/1/reassignment")).andExpect(status().isOk())
                .andExpect(jsonPath("$.kind").value("KafkaReassignment"))
                .andExpect(jsonPath("$.metadata.resource_name").value("crn:///kafka=" + FakeCluster.ID
                        + "/topic=moved/partition=1/reassignment"))
                .andExpect(jsonPath("$.adding_replicas[0]").value(4))
                .andExpect(jsonPath("$.removing_replicas[0]").value(0))
                .andExpect(jsonPath("$.target_replicas[1]").value(1))
                .andExpect(jsonPath("$.replicas.related").value(SELF + "/topics/moved/partitions/1/replicas"));
    }

    @ParameterizedTest
    @CsvSource({"moved/partitions/0,404", "moved/partitions/9,40403", "none/partitions/0,40403",
            "none/partitions/-,40403"})
    void whatDoesNotMoveIsNotFound(String path, int code) throws Exception {
        http.perform(get(CLUSTER + "/topics/" + path + "/reassignment")).andExpect(status().isNotFound())
                .andExpect(jsonPath("$.error_code").value(code));
    }

    @Test
    void moveIsCalledOff() throws Exception {
        fake.answer(AlterReassignments.class, _ -> new AlterReassignments.Result(List.of(new Outcome("moved", 1,
                (short) 0,
                null))));
        http.perform(delete(CLUSTER + "/topics/moved/partitions/1/reassignment")).andExpect(status().isAccepted());
        assertThat(fake.commands).containsExactly(new AlterReassignments(List.of(new Target("moved", 1, null)), true,
                false,
                5_000));

        fake.answer(AlterReassignments.class, _ -> new AlterReassignments.Result(List.of(new Outcome("moved", 0,
                Errors.NO_REASSIGNMENT_IN_PROGRESS.code(), "none"))));
        http.perform(delete(CLUSTER + "/topics/moved/partitions/0/reassignment")).andExpect(status().isNotFound())
                .andExpect(jsonPath("$.message").value("moved-0: none"));
    }

    private static final String WANTED = """
            {"partitions":[{"topic_name":"moved","partition_id":1,"replicas":[4,1]},
            {"topic_name":"moved","partition_id":0,"replicas":[1,0]}]%s}""";

    @Test
    void movesAreCheckedAsAWholeBeforeTheyBegin() throws Exception {
        fake.answer(AlterReassignments.class, command -> new AlterReassignments.Result(command.targets().stream().map(
                target -> new Outcome(target.topic(), target.partition(), (short) 0, null)).toList()));

        http.perform(post(CLUSTER + "/reassignments").contentType(MediaType.APPLICATION_JSON).content(WANTED.formatted(
                "")))
                .andExpect(status().isAccepted())
                .andExpect(header().string("Location", startsWith(SELF + "/operations/")))
                .andExpect(jsonPath("$.kind").value("KafkaOperation"))
                .andExpect(jsonPath("$.state").value("RUNNING"))
                .andExpect(jsonPath("$.partitions.length()").value(2));
        var first = (AlterReassignments) fake.commands.element();
        assertThat(first.validateOnly()).isTrue();
        assertThat(first.targets()).containsExactly(new Target("moved", 1, List.of(4, 1)), new Target("moved", 0, List
                .of(1, 0)));
    }

    @Test
    void movesCanBeCheckedOnly() throws Exception {
        fake.answer(AlterReassignments.class, _ -> new AlterReassignments.Result(List.of()));

        http.perform(post(CLUSTER + "/reassignments").contentType(MediaType.APPLICATION_JSON).content(WANTED.formatted(
                ",\"validate_only\":true,\"allow_replication_factor_change\":false")))
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.data[0].state").value("PLANNED"))
                .andExpect(jsonPath("$.data[1].adding_replicas").isEmpty());
        assertThat(fake.commands).singleElement().isInstanceOfSatisfying(AlterReassignments.class, command -> {
            assertThat(command.validateOnly()).isTrue();
            assertThat(command.allowReplicationFactorChange()).isFalse();
        });
    }

    @Test
    void oneMoveThatIsRefusedKeepsAllFromBeginning() throws Exception {
        fake.answer(AlterReassignments.class, _ -> new AlterReassignments.Result(List.of(new Outcome("moved", 1,
                (short) 0,
                null), new Outcome("moved", 0, Errors.INVALID_REPLICA_ASSIGNMENT.code(), "not alive"))));

        http.perform(post(CLUSTER + "/reassignments").contentType(MediaType.APPLICATION_JSON).content(WANTED.formatted(
                "")))
                .andExpect(status().isBadRequest())
                .andExpect(jsonPath("$.error_code").value(40002))
                .andExpect(jsonPath("$.message").value("moved-0: not alive"));
        assertThat(fake.commands).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{}|400", "{\"partitions\":[]}|400",
            "{\"partitions\":[{\"topic_name\":\"moved\",\"partition_id\":0,\"replicas\":[]}]}|400",
            "{\"partitions\":[{\"topic_name\":\"none\",\"partition_id\":0,\"replicas\":[1]}]}|40403",
            "{\"plan_id\":\"x\"}|404",
            "{\"partitions\":[{\"topic_name\":\"moved\",\"partition_id\":0,\"replicas\":[1]},"
                    + "{\"topic_name\":\"moved\",\"partition_id\":0,\"replicas\":[1]}]}|400"})
    void requestThatCannotBeRightIsRefused(String body, int code) throws Exception {
        http.perform(post(CLUSTER + "/reassignments").contentType(MediaType.APPLICATION_JSON).content(body))
                .andExpect(jsonPath("$.error_code").value(code));
        assertThat(fake.commands).isEmpty();
    }

    @Test
    void electionsAreAnsweredEachForItself() throws Exception {
        fake.answer(ElectLeaders.class, _ -> new ElectLeaders.Result(List.of(new ElectLeaders.Outcome("moved", 0,
                (short) 0,
                null), new ElectLeaders.Outcome("orders", 1, Errors.PREFERRED_LEADER_NOT_AVAILABLE.code(), "down"))));

        http.perform(post(CLUSTER + "/leader-elections").contentType(MediaType.APPLICATION_JSON).content(
                "{\"election_type\":\"PREFERRED\",\"partitions\":[{\"topic_name\":\"moved\",\"partition_id\":0}],"
                        + "\"topics\":[\"orders\"]}"))
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.kind").value("KafkaLeaderElectionList"))
                .andExpect(jsonPath("$.data[0].leader_before").value(0))
                .andExpect(jsonPath("$.data[0].leader_after").value(0))
                .andExpect(jsonPath("$.data[0].error").isEmpty())
                .andExpect(jsonPath("$.data[1].leader_before").isEmpty())
                .andExpect(jsonPath("$.data[1].error").value("PREFERRED_LEADER_NOT_AVAILABLE"));
        assertThat(fake.commands).containsExactly(new ElectLeaders(ElectLeaders.Type.PREFERRED, List.of(
                new ElectLeaders.TopicPartition("moved", 0), new ElectLeaders.TopicPartition("orders", 0),
                new ElectLeaders.TopicPartition("orders", 1)), 5_000));
    }

    @Test
    void electionsOfTheWholeClusterNameNothing() throws Exception {
        fake.answer(ElectLeaders.class, _ -> new ElectLeaders.Result(List.of()));

        http.perform(post(CLUSTER + "/leader-elections").contentType(MediaType.APPLICATION_JSON).content(
                "{\"election_type\":\"PREFERRED\"}")).andExpect(status().isOk()).andExpect(jsonPath("$.data")
                        .isEmpty());
        assertThat(fake.commands).containsExactly(new ElectLeaders(ElectLeaders.Type.PREFERRED, null, 5_000));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{}|400", "{\"election_type\":\"OTHER\"}|400",
            "{\"election_type\":\"UNCLEAN\"}|400",
            "{\"election_type\":\"UNCLEAN\",\"partitions\":[{\"topic_name\":\"moved\",\"partition_id\":0}]}|400",
            "{\"election_type\":\"PREFERRED\",\"topics\":[\"none\"]}|40403"})
    void electionThatCannotBeRightIsRefused(String body, int code) throws Exception {
        http.perform(post(CLUSTER + "/leader-elections").contentType(MediaType.APPLICATION_JSON).content(body))
                .andExpect(jsonPath("$.error_code").value(code));
        assertThat(fake.commands).isEmpty();
    }

    @Test
    void replicasSayHowFarTheyAreWhereTheLeaderAnswers() throws Exception {
        var leader = leader("""
                {"leader_epoch":3,"high_watermark":90,"log_start_offset":0,"log_end_offset":100,"followers":[
                {"broker":1,"log_end_offset":95,"last_caught_up_ms":1700000000000,"in_sync":true},
                {"broker":4,"log_end_offset":-1,"last_caught_up_ms":null,"in_sync":false}]}""");
        try {
            fake.serveHttpAt("http://127.0.0.1:" + leader.getAddress().getPort());
            http.perform(get(CLUSTER + "/topics/moved/partitions/1/replicas")).andExpect(status().isOk())
                    .andExpect(jsonPath("$.data[1].broker_id").value(0))
                    .andExpect(jsonPath("$.data[1].is_leader").value(true))
                    .andExpect(jsonPath("$.data[1].log_end_offset").value(100))
                    .andExpect(jsonPath("$.data[1].lag_messages").value(0))
                    .andExpect(jsonPath("$.data[2].lag_messages").value(5))
                    .andExpect(jsonPath("$.data[2].last_caught_up_ms").value(1_700_000_000_000L))
                    .andExpect(jsonPath("$.data[0].is_in_sync").value(false))
                    .andExpect(jsonPath("$.data[0].log_end_offset").isEmpty());
        } finally {
            leader.stop(0);
        }
        http.perform(get(CLUSTER + "/topics/moved/partitions/1/replicas/1")).andExpect(status().isOk())
                .andExpect(jsonPath("$.is_in_sync").value(true))
                .andExpect(jsonPath("$.log_end_offset").isEmpty());
    }

    private static HttpServer leader(String answer) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/replicas/moved/1", exchange -> {
            var body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    @Test
    void partitionSaysWhichReplicasAreOfflineAndWhoCouldLead() throws Exception {
        http.perform(get(CLUSTER + "/topics/moved/partitions/0")).andExpect(status().isOk())
                .andExpect(jsonPath("$.offline_replicas[0]").value(1))
                .andExpect(jsonPath("$.eligible_leaders[0]").value(0))
                .andExpect(jsonPath("$.eligible_leaders.length()").value(1));
    }
}
