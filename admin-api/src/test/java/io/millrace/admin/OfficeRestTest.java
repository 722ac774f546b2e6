package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import com.sun.net.httpserver.HttpServer;
import io.millrace.admin.operation.OperationRunner;
import io.millrace.metadata.command.BalanceShards;
import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.DescribeSubscribers;
import io.millrace.metadata.command.DrainCoordinator;
import io.millrace.metadata.command.ResignController;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import org.apache.kafka.common.protocol.Errors;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.json.JsonMapper;

/// The controller's office, what coordinators own, ZooKeeper and clients.
class OfficeRestTest extends Rest {
    @Autowired
    private OperationRunner runner;

    private static CommandRefused nobodyElse() {
        return new CommandRefused(Errors.ELIGIBLE_LEADERS_NOT_AVAILABLE.code(), "nobody else");
    }

    private String begun(String path, String body) throws Exception {
        var answer = call("POST", path, body).andExpect(status().isAccepted()).andExpect(header().string("Location",
                Matchers.startsWith(SELF + "/operations/"))).andReturn().getResponse().getContentAsString();
        return "/operations/" + new JsonMapper().readTree(answer).path("operation_id").asString();
    }

    @Test
    void controllerResignsAndTheOperationIsOverWhenAnotherIsActive() throws Exception {
        fake.answer(ResignController.class, _ -> {
            fake.elect(8, 3);
            return new ResignController.Result(true);
        });
        var operation = begun("/controller:resign", "{\"reason\":\"test\"}");
        assertThat(fake.commands).containsExactly(new ResignController(7, 2, "test"));
        runner.step();
        call("GET", operation).andExpect(jsonPath("$.state").value("COMPLETED"))
                .andExpect(jsonPath("$.type").value("RESIGN_CONTROLLER"))
                .andExpect(jsonPath("$.cancellable").value(false))
                .andExpect(jsonPath("$.request.controller_id").value(7))
                .andExpect(jsonPath("$.result.controller_id").value(8))
                .andExpect(jsonPath("$.result.takeover_ms").isNumber());
        call("DELETE", operation).andExpect(status().isConflict());
    }

    @Test
    void officeThatGoesToTheSameControllerAgainIsAFailure() throws Exception {
        fake.answer(ResignController.class, _ -> {
            fake.elect(7, 3);
            return new ResignController.Result(true);
        });
        var operation = begun("/controller:resign", "{\"reason\":\"test\"}");
        runner.step();
        call("GET", operation).andExpect(jsonPath("$.state").value("FAILED"))
                .andExpect(jsonPath("$.errors[0]").value("controller 7 was elected again"));
    }

    @Test
    void controllerWithoutAStandbyOrOfAnotherTermDoesNotResign() throws Exception {
        fake.fail(ResignController.class, nobodyElse());
        call("POST", "/controller:resign", "{\"reason\":\"test\"}").andExpect(status().isConflict())
                .andExpect(jsonPath("$.error_code").value(40902));
        fake.answer(ResignController.class, _ -> new ResignController.Result(false));
        call("POST", "/controller:resign", "{\"reason\":\"test\"}").andExpect(status().isConflict());
        fake.elect(-1, 2);
        call("POST", "/controller:resign", "{\"reason\":\"test\"}").andExpect(status().isServiceUnavailable())
                .andExpect(jsonPath("$.error_code").value(50303));
    }

    @Test
    void coordinatorIsDrainedUntilItOwnsNothing() throws Exception {
        fake.answer(DrainCoordinator.class, command -> new DrainCoordinator.Result(command.drained() ? 1 : 0));
        var operation = begun("/coordinators/1000:drain", "");
        runner.step();
        call("GET", operation).andExpect(jsonPath("$.state").value("RUNNING"))
                .andExpect(jsonPath("$.progress.total").value(1)).andExpect(jsonPath("$.progress.done").value(0));
        call("PATCH", operation, "{\"state\":\"PAUSED\"}").andExpect(status().isConflict());

        fake.add(ShardKind.GROUP, new ShardImage(0, 1001, 2));
        runner.step();
        call("GET", operation).andExpect(jsonPath("$.state").value("COMPLETED"))
                .andExpect(jsonPath("$.progress.done").value(1));
        call("POST", "/coordinators/1000:resume").andExpect(status().isNoContent());
        assertThat(fake.commands).containsExactly(new DrainCoordinator(1000, true), new DrainCoordinator(1000, false));
    }

    @Test
    void drainThatIsCalledOffGivesTheShardsBack() throws Exception {
        fake.answer(DrainCoordinator.class, command -> new DrainCoordinator.Result(1));
        var operation = begun("/coordinators/1000:drain", "");
        call("DELETE", operation).andExpect(status().isAccepted());
        runner.step();
        runner.step();
        call("GET", operation).andExpect(jsonPath("$.state").value("CANCELLED"));
        assertThat(fake.commands).containsExactly(new DrainCoordinator(1000, true), new DrainCoordinator(1000, false));
    }

    @Test
    void coordinatorThatNobodyCouldReplaceStays() throws Exception {
        fake.fail(DrainCoordinator.class, nobodyElse());
        call("POST", "/coordinators/1000:drain").andExpect(status().isConflict());
        call("POST", "/coordinators/1001:drain").andExpect(status().isNotFound());
        call("POST", "/coordinators/1001:resume").andExpect(status().isNotFound());
    }

    @Test
    void shardsAreEvenedOutOrOnlyPlanned() throws Exception {
        fake.answer(BalanceShards.class, _ -> new BalanceShards.Result(List.of(new BalanceShards.ShardMove(
                ShardKind.GROUP, 0, 1000, 1001))));
        call("POST", "/coordinators:balance", "{\"dry_run\":true,\"max_moves\":2}").andExpect(status().isOk())
                .andExpect(jsonPath("$.data[0].type").value("GROUP")).andExpect(jsonPath("$.data[0].to").value(1001))
                .andExpect(jsonPath("$.data[0].from_before").value(1))
                .andExpect(jsonPath("$.data[0].from_after").value(0))
                .andExpect(jsonPath("$.data[0].to_after").value(1));
        fake.add(ShardKind.GROUP, new ShardImage(0, 1000, 1, 1001));
        var operation = begun("/coordinators:balance", "{}");
        runner.step();
        call("GET", operation).andExpect(jsonPath("$.state").value("RUNNING"));
        fake.add(ShardKind.GROUP, new ShardImage(0, 1001, 2));
        runner.step();
        call("GET", operation).andExpect(jsonPath("$.state").value("COMPLETED"));
        assertThat(fake.commands).containsExactly(new BalanceShards(2, true), new BalanceShards(5, false));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"/controller:resign|{}", "/controller:resign|{\"reason\":\"\"}",
            "/coordinators:balance|{\"max_moves\":0}", "/coordinators:balance|{\"max_moves\":1001}"})
    void requestThatCannotBeRightIsRefused(String path, String body) throws Exception {
        call("POST", path, body).andExpect(status().isBadRequest()).andExpect(jsonPath("$.error_code").value(400));
        assertThat(fake.commands).isEmpty();
    }

    @Test
    void quorumSaysWhoFollowsAndWhichServersAreSilent() throws Exception {
        fake.answer(DescribeSubscribers.class, _ -> new DescribeSubscribers.Result(7, new MetadataVersion(2, 30), List
                .of(new DescribeSubscribers.Row(Role.BROKER, 0, 99, new MetadataVersion(2, 29), 12),
                        new DescribeSubscribers.Row(Role.ADMIN, 3, 98, new MetadataVersion(1, 500), 90))));
        call("GET", "/quorum").andExpect(status().isOk()).andExpect(jsonPath("$.ensemble[0].server").value(
                "127.0.0.1:1")).andExpect(jsonPath("$.ensemble[0].problem").isNotEmpty())
                .andExpect(jsonPath("$.metadata_stream.active_offset").value(30))
                .andExpect(jsonPath("$.metadata_stream.subscribers[0].acked_offset").value(29))
                .andExpect(jsonPath("$.metadata_stream.subscribers[0].lag_ms").value(12))
                .andExpect(jsonPath("$.metadata_stream.subscribers[1].acked_offset").value(-1));
        fake.fail(DescribeSubscribers.class, new IOException("gone"));
        call("GET", "/quorum").andExpect(status().isOk()).andExpect(jsonPath("$.metadata_stream").isEmpty());
    }

    @Test
    void clientsAreThoseThatNodesTellOf() throws Exception {
        var node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        node.createContext("/clients", exchange -> {
            var body = """
                    {"clients":[{"listener":"PLAINTEXT","software":"librdkafka","version":"2.8.0","connections":3},
                    {"listener":"PLAINTEXT","software":"apache-kafka-java","version":"4.4.0","connections":1}],
                    "apis":[{"api":"Metadata","version":12,"requests":9,"deprecated":false},
                    {"api":"FetchConsumer","version":2,"requests":4,"deprecated":true}]}""".getBytes(
                    StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        node.start();
        try {
            fake.serveHttpAt("http://127.0.0.1:" + node.getAddress().getPort());
            call("GET", "/clients").andExpect(status().isOk()).andExpect(jsonPath("$.data.length()").value(2));
            call("GET", "/clients?software=librdkafka").andExpect(jsonPath("$.data.length()").value(1))
                    .andExpect(jsonPath("$.data[0].connections").value(3))
                    .andExpect(jsonPath("$.data[0].software_version").value("2.8.0"))
                    .andExpect(jsonPath("$.data[0].node_deprecated_api_use[0].api").value("FetchConsumer"));
        } finally {
            node.stop(0);
        }
        call("GET", "/clients").andExpect(status().isOk()).andExpect(jsonPath("$.data").isEmpty());
    }

    @Test
    void nothingOfAnotherClusterIsTold() throws Exception {
        var answers = new ArrayList<Integer>();
        for (var path : List.of("/quorum", "/clients", "/config-drift", "/config-history", "/config-baseline",
                "/consumer-groups/g/configs")) {
            answers.add(http.perform(request("GET", "/v3/clusters/other" + path)).andReturn().getResponse()
                    .getStatus());
        }
        assertThat(answers).containsOnly(404);
    }
}
