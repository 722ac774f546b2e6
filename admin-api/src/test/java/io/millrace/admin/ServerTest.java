package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.millrace.admin.event.EventLog;
import io.millrace.admin.transaction.HangingTransactions;
import io.millrace.metadata.command.AlterReassignments;
import io.millrace.metadata.command.CreatePartitions;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.ElectLeaders;
import io.millrace.metadata.command.TopicOutcome;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.apache.kafka.common.message.DescribeProducersResponseData.TopicResponse;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// What only a real server shows: what Tomcat refuses, streams, and the console in a browser.
@SpringBootTest(classes = Rest.Application.class, webEnvironment = WebEnvironment.RANDOM_PORT, properties = "server.address=127.0.0.1")
@TestPropertySource("classpath:io/millrace/admin/admin-api.properties")
class ServerTest {
    @LocalServerPort
    private int port;
    @Autowired
    private EventLog events;
    @Autowired
    private FakeCluster fake;
    @Autowired
    private HangingTransactions hanging;

    private String raw(String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @CsvSource({"/v3/clusters/a%00b, 400", "/v3/clusters/a%5Cb, 400", "/v3/clusters/{x}, 400", "/v3/clusters/%zz, 400",
            "/v3/clusters/a%2Fb, 404", "/nothing/there, 404"})
    void whatTheServerItselfRefusesIsJsonToo(String path, int status) throws IOException {
        var answer = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 " + status).contains("\"error_code\":" + status, "\"message\":")
                .doesNotContain("<html", "Tomcat", "Exception");
    }

    @Test
    void headersThatAreTooLongAreRefusedWithoutHtml() throws IOException {
        assertThat(raw("GET /v3/clusters HTTP/1.1\r\nHost: localhost\r\nX: " + "y".repeat(20_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 4").doesNotContain("<html", "Exception");
    }

    @Test
    void eventsReachAReaderAsTheyHappenAndItCanGoOnLater() throws Exception {
        var before = ClusterImage.EMPTY.withController(1).at(new MetadataVersion(1, 1));
        events.changed(before, before.withController(2), new Changes(java.util.Set.of(), java.util.Set.of(),
                java.util.Set
                        .of(), java.util.Set.of(), java.util.Set.of()));
        var url = "http://127.0.0.1:" + port + "/v3/clusters/" + FakeCluster.ID + "/events";
        try (var client = HttpClient.newHttpClient()) {
            var first = client.sendAsync(HttpRequest.newBuilder(URI.create(url + "?types=controller")).build(),
                    BodyHandlers
                            .ofLines()).get(10, TimeUnit.SECONDS);
            assertThat(first.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
            events.changed(before, before.withController(3), new Changes(java.util.Set.of(), java.util.Set.of(),
                    java.util.Set.of(), java.util.Set.of(), java.util.Set.of()));
            var lines = first.body().filter(line -> line.startsWith("event:") || line.startsWith("id:")).limit(2)
                    .toList();
            assertThat(lines).last().isEqualTo("event: controller.elected");
            long id = Long.parseLong(lines.getFirst().substring(4));
            var again = client.send(HttpRequest.newBuilder(URI.create(url)).header("Last-Event-ID", Long.toString(id
                    - 1)).build(), BodyHandlers.ofLines());
            assertThat(again.body().filter(line -> line.startsWith("id:")).findFirst()).contains("id: " + id);
            var tooOld = client.send(HttpRequest.newBuilder(URI.create(url)).header("Last-Event-ID", "1").build(),
                    BodyHandlers.ofString());
            assertThat(tooOld.statusCode()).isEqualTo(410);
            client.shutdownNow();
        }
    }

    @Test
    void aTransactionThatHangsIsAnEventOnce() throws Exception {
        fake.reset();
        fake.answer(ListTransactionsRequestData.class, _ -> new ListTransactionsResponseData());
        fake.answer(DescribeProducersRequestData.class, _ -> new DescribeProducersResponseData().setTopics(List.of(
                new TopicResponse().setName("orders").setPartitions(List.of(new PartitionResponse().setActiveProducers(
                        List.of(new ProducerState().setProducerId(8).setCurrentTxnStartOffset(20))))))));
        var url = "http://127.0.0.1:" + port + "/v3/clusters/" + FakeCluster.ID + "/events?types=txn,controller";
        try (var client = HttpClient.newHttpClient()) {
            var stream = client.sendAsync(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofLines())
                    .get(10, TimeUnit.SECONDS);
            hanging.look();
            hanging.look();
            var before = ClusterImage.EMPTY.withController(1).at(new MetadataVersion(1, 1));
            events.changed(before, before.withController(2), new Changes(java.util.Set.of(), java.util.Set.of(),
                    java.util.Set.of(), java.util.Set.of(), java.util.Set.of()));

            assertThat(stream.body().filter(line -> line.startsWith("event:")).limit(2)).containsExactly(
                    "event: txn.hanging", "event: controller.elected");
            client.shutdownNow();
        }
    }

    /// Each name reaches exactly that group, and so does the link in its answer.
    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a:b", "%2F", "\u00fc", "a b", ";x", "?", "#", "a%b", "..", "."})
    void nameInAPathIsThatNameAndNoOther(String name) throws IOException {
        fake.reset();
        fake.answer(DescribeConfigsRequestData.class, request -> new DescribeConfigsResponseData().setResults(List.of(
                new DescribeConfigsResult().setConfigs(List.of(new DescribeConfigsResourceResult().setName("n")
                        .setValue(request.resources().getFirst().resourceName()))))));
        var encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20").replace(".", "%2E");
        var answer = raw("GET /v3/clusters/" + FakeCluster.ID + "/consumer-groups/" + encoded
                + "/configs/n HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200").contains("\"value\":\"" + name + "\"", "/consumer-groups/"
                + encoded
                + "/configs/n");
    }

    @Test
    void longNameInAPathIsThatName() throws IOException {
        var name = "n".repeat(300);
        fake.reset();
        fake.answer(DescribeConfigsRequestData.class, request -> new DescribeConfigsResponseData().setResults(List.of(
                new DescribeConfigsResult().setConfigs(List.of(new DescribeConfigsResourceResult().setName("n")
                        .setValue(request.resources().getFirst().resourceName()))))));
        assertThat(raw("GET /v3/clusters/" + FakeCluster.ID + "/consumer-groups/" + name
                + "/configs/n HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")).contains(
                        "\"value\":\"" + name + "\"");
    }

    /// Without a browser the test is skipped, but for a whole check, which must have one.
    private static void requireBrowser() {
        boolean there = Files.isExecutable(Browser.PROGRAM);
        if (!there && "true".equals(System.getenv("CI"))) {
            throw new AssertionError("missing on this machine, and required: " + Browser.PROGRAM);
        }
        Assumptions.assumeTrue(there, "skipped, not installed: " + Browser.PROGRAM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void consoleShowsTheClusterAndWhatIsDoneToIt(String colors, @TempDir Path home) throws Exception {
        requireBrowser();
        fake.reset();
        fake.answer(DescribeLogDirsRequestData.class, _ -> new DescribeLogDirsResponseData());
        var root = "http://127.0.0.1:" + port + "/";
        try (var browser = new Browser(home, colors)) {
            browser.open(root);
            browser.shows("orders-1 has no leader");
            browser.shows("Coordinator 1000");
            assertThat(browser.evaluate("document.body.innerText")).contains("127.0.0.1:9092").doesNotContain(
                    "[object");
            browser.photograph(Path.of("target/console/cluster-" + colors + ".png"));
            browser.evaluate("document.querySelector('nav a[href=\"#/topics\"]').click()");
            browser.shows("Topics (2)");
            browser.photograph(Path.of("target/console/topics-" + colors + ".png"));
            browser.evaluate("document.querySelector('nav a[href=\"#/moves\"]').click()");
            browser.shows("No operation is known");
            browser.evaluate("document.querySelector('nav a[href=\"#/records\"]').click()");
            browser.shows("Browse");
            browser.photograph(Path.of("target/console/records-" + colors + ".png"));
            browser.open(root + "swagger-ui/index.html");
            browser.shows("Millrace admin API");
        }
    }

    /// A topic from its creation to a move, with nothing but the page.
    @Test
    void swaggerUiCreatesATopicGrowsItElectsLeadersAndShowsAMove(@TempDir Path home) throws Exception {
        requireBrowser();
        fake.reset();
        fake.addBroker(1);
        var clicks = TopicImage.of("clicks", new UUID(4, 4)).with(FakeCluster.partition(0, 0));
        fake.answer(CreateTopics.class, _ -> {
            fake.add(clicks);
            return new CreateTopics.Result(List.of(new TopicOutcome("clicks", new UUID(4, 4), (short) 0, null, 1, 1)));
        });
        fake.answer(CreatePartitions.class, _ -> {
            fake.add(clicks.with(FakeCluster.partition(1, 0)));
            return new CreatePartitions.Result(List.of(new TopicOutcome("clicks", new UUID(4, 4), (short) 0, null, 2,
                    1)));
        });
        fake.answer(ElectLeaders.class, _ -> new ElectLeaders.Result(List.of(new ElectLeaders.Outcome("clicks", 0,
                Errors.ELECTION_NOT_NEEDED.code(), null))));
        fake.answer(AlterReassignments.class, _ -> new AlterReassignments.Result(List.of()));
        fake.answer(DescribeLogDirsRequestData.class, _ -> new DescribeLogDirsResponseData());
        try (var browser = new Browser(home, "light")) {
            var page = new SwaggerUi(browser, "http://127.0.0.1:" + port + "/swagger-ui/index.html");
            assertThat(page.execute("topicCreate", Map.of(), "{\"topic_name\":\"clicks\",\"partitions_count\":1}"))
                    .contains("201", "\"topic_name\": \"clicks\"");
            assertThat(page.execute("topicChange", Map.of("topicName", "clicks"), "{\"partitions_count\":2}")).contains(
                    "200", "\"partitions_count\": 2");
            assertThat(page.execute("leaderElectionElect", Map.of(),
                    "{\"election_type\":\"PREFERRED\",\"topics\":[\"clicks\"]}")).contains("200",
                            "ELECTION_NOT_NEEDED");
            var begun = page.execute("reassignmentMove", Map.of(),
                    "{\"partitions\":[{\"topic_name\":\"clicks\",\"partition_id\":0,\"replicas\":[1]}]}");
            assertThat(begun).contains("202", "\"state\": \"RUNNING\"");
            var id = begun.replaceAll("(?s).*\"operation_id\": \"([^\"]+)\".*", "$1");
            assertThat(page.execute("operationGet", Map.of("operationId", id), null)).contains("200", "\"progress\"",
                    "\"bytes_total\"", "\"state\": \"QUEUED\"");
            assertThat(page.execute("topicGet", Map.of("topicName", "none"), null)).contains("404", "40403");
            browser.photograph(Path.of("target/console/swagger.png"));
        }
    }
}
