package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.admin.document.Documents;
import io.millrace.admin.document.ZnodeDocuments;
import io.millrace.admin.history.ConfigHistory;
import io.millrace.admin.operation.OperationStore;
import io.millrace.admin.operation.Operations;
import io.millrace.admin.operation.ZnodeOperationStore;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Ensemble;
import io.millrace.admin.upstream.Moves;
import io.millrace.metadata.command.AlterReassignments;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.DescribeSubscribers;
import io.millrace.metadata.command.TopicOutcome;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.metadata.zookeeper.ZooKeeperConfig;
import org.apache.curator.test.TestingServer;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.PropertySource;
import org.springframework.context.support.GenericApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Two instances of the REST interface with one ZooKeeper: each request of a client may reach either of them.
class TwoInstancesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String TOPIC = "{\"topic_name\":\"new\",\"partitions_count\":1}";

    private final FakeCluster fake = new FakeCluster();
    private final HttpClient http = HttpClient.newHttpClient();
    private TestingServer server;
    private List<Instance> instances;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(RestConfiguration.class)
    @PropertySource("classpath:io/millrace/admin/admin-api.properties")
    static class Application {
        @Bean(destroyMethod = "close")
        Znodes znodes(ZooKeeperConfig config) throws Exception {
            return Znodes.connect(config, new SimpleMeterRegistry());
        }

        @Bean
        Ensemble ensemble(ZooKeeperConfig config) {
            return new Ensemble(config.connect(), PATIENCE);
        }

        @Bean
        Documents documents(Znodes znodes) {
            return new ZnodeDocuments(znodes, PATIENCE);
        }

        @Bean
        ConfigHistory history(Documents documents) {
            return new ConfigHistory(documents, Clock.systemUTC(), Runnable::run);
        }

        @Bean
        OperationStore store(Documents documents) {
            return new ZnodeOperationStore(documents);
        }

        @Bean
        Operations operations(OperationStore store, Moves moves) {
            return new Operations(store, moves, Clock.systemUTC(), () -> {});
        }
    }

    private record Instance(ConfigurableApplicationContext context) {
        String url(String path) {
            var web = Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer());
            return "http://127.0.0.1:" + web.getPort() + Rest.CLUSTER + path;
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer(true);
        instances = Stream.generate(this::instance).limit(2).toList();
    }

    private Instance instance() {
        var config = new ZooKeeperConfig(server.getConnectString() + "/root", Duration.ofSeconds(10), PATIENCE);
        return new Instance(new SpringApplicationBuilder(Application.class).initializers(context -> {
            var beans = (GenericApplicationContext) context;
            beans.registerBean(ZooKeeperConfig.class, () -> config);
            beans.registerBean(Cluster.class, fake::cluster);
        }).run("--server.port=0", "--server.address=127.0.0.1"));
    }

    @AfterEach
    void stop() throws IOException {
        instances.forEach(instance -> instance.context.close());
        server.close();
        http.close();
    }

    private HttpResponse<String> send(int instance, String verb, String path, String body, String key) {
        var request = HttpRequest.newBuilder(URI.create(instances.get(instance).url(path))).method(verb, body.isEmpty()
                ? BodyPublishers.noBody()
                : BodyPublishers.ofString(body)).header("Content-Type", "application/json");
        if (!key.isEmpty()) {
            request.header("Idempotency-Key", key);
        }
        return http.sendAsync(request.build(), BodyHandlers.ofString()).orTimeout(PATIENCE.toSeconds(),
                TimeUnit.SECONDS).join();
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return new JsonMapper().readTree(answer.body());
    }

    private void createsTopics() {
        fake.answer(CreateTopics.class, _ -> {
            fake.add(TopicImage.of("new", new UUID(5, 5)).with(FakeCluster.partition(0, 0)));
            return new CreateTopics.Result(List.of(new TopicOutcome("new", new UUID(5, 5), (short) 0, null, 1, 1)));
        });
    }

    @Test
    void planThatOneInstanceMadeIsSeenAndCarriedOutByTheOther() {
        fake.addBroker(1);
        fake.answer(DescribeLogDirsRequestData.class, _ -> new DescribeLogDirsResponseData());
        fake.answer(AlterReassignments.class, _ -> new AlterReassignments.Result(List.of()));

        var plan = json(send(0, "POST", "/reassignments:plan", """
                {"goal":"CUSTOM","partitions":[{"topic_name":"orders","partition_id":0,"replicas":[1]}]}""", ""));
        var id = plan.path("plan_id").asString();
        assertThat(json(send(1, "GET", "/reassignments/plans/" + id, "", "")).path("moves")).isEqualTo(plan.path(
                "moves"));
        var begun = send(1, "POST", "/reassignments", "{\"plan_id\":\"" + id + "\"}", "");

        assertThat(begun.statusCode()).as(begun.body()).isEqualTo(202);
        assertThat(send(0, "GET", "/operations/" + json(begun).path("operation_id").asString(), "", "").statusCode())
                .isEqualTo(200);
    }

    @Test
    void proposalThatOneInstanceMadeIsDiscardedByTheOther() {
        fake.answer(DescribeLogDirsRequestData.class, _ -> new DescribeLogDirsResponseData());
        var id = json(send(0, "POST", "/balance/proposals", "{}", "")).path("proposal_id").asString();

        assertThat(send(1, "DELETE", "/balance/proposals/" + id, "", "").statusCode()).isEqualTo(204);
        assertThat(send(0, "GET", "/balance/proposals/" + id, "", "").statusCode()).isEqualTo(404);
    }

    @Test
    void writeIsDoneOnceThoughItsRepeatReachesTheOtherInstance() {
        createsTopics();
        var first = send(0, "POST", "/topics", TOPIC, "k");
        var second = send(1, "POST", "/topics", TOPIC, "k");

        assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotency-Replayed")).contains("true");
        assertThat(fake.commands).hasSize(1);
        assertThat(send(1, "POST", "/topics", "{\"topic_name\":\"other\"}", "k").statusCode()).isEqualTo(409);
    }

    @Test
    void whileOneInstanceHasAWriteInHandTheOtherDoesNotBeginIt() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        fake.answer(CreateTopics.class, _ -> {
            begun.countDown();
            await(goOn);
            fake.add(TopicImage.of("new", new UUID(5, 5)).with(FakeCluster.partition(0, 0)));
            return new CreateTopics.Result(List.of(new TopicOutcome("new", new UUID(5, 5), (short) 0, null, 1, 1)));
        });
        var first = CompletableFuture.supplyAsync(() -> send(0, "POST", "/topics", TOPIC, "k"));
        assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        var second = send(1, "POST", "/topics", TOPIC, "k");
        goOn.countDown();

        assertThat(second.statusCode()).as(second.body()).isEqualTo(409);
        assertThat(first.join().statusCode()).isEqualTo(201);
        assertThat(send(1, "POST", "/topics", TOPIC, "k").statusCode()).isEqualTo(201);
        assertThat(fake.commands).hasSize(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void quorumTellsOfTheServersOfZooKeeper() {
        fake.answer(DescribeSubscribers.class, _ -> new DescribeSubscribers.Result(7, new MetadataVersion(2, 30), List
                .of(
                        new DescribeSubscribers.Row(Role.BROKER, 0, 99, new MetadataVersion(2, 28), 5))));
        var quorum = json(send(0, "GET", "/quorum", "", ""));

        assertThat(quorum.at("/ensemble/0/mode").asString()).isEqualTo("STANDALONE");
        assertThat(quorum.at("/ensemble/0/znodes").asLong()).isPositive();
        assertThat(quorum.at("/metadata_stream/active_offset").asLong()).isEqualTo(30);
        assertThat(quorum.at("/metadata_stream/subscribers/0/acked_offset").asLong()).isEqualTo(28);
    }

    @Test
    void withoutZooKeeperAWriteThatMayBeRepeatedIsNotBegun() throws Exception {
        createsTopics();
        server.stop();

        assertThat(send(0, "POST", "/topics", TOPIC, "k").statusCode()).isBetween(500, 504);
        assertThat(fake.commands).isEmpty();
    }
}
