package io.millrace.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.CommandHandler;
import io.millrace.metadata.command.CommandRouter;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.controller.ActiveController;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.endpoint.ControllerEndpoint;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.stream.MetadataPublisher;
import io.millrace.metadata.stream.StreamConfig;
import io.millrace.metadata.stream.Subscriber;
import io.millrace.metadata.stream.SubscriberListener;
import io.millrace.service.ServiceConfiguration;
import io.millrace.service.lifecycle.HttpAddress;
import io.millrace.service.lifecycle.ServiceApplication;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// A call over HTTP to one service, and the command that it sends to another, over real sockets.
@ExtendWith(OutputCaptureExtension.class)
class TraceIT {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ecs", "logstash"})
    void theCallersTraceIsOnTheLinesOfBothServices(String format, CapturedOutput output) throws Exception {
        var caller = caller(format);

        post(caller, "traceparent", "00-" + TRACE + "-b7ad6b7169203331-01");

        assertThat(line(output, "event=relayed")).contains(TRACE);
        assertThat(line(output, "command=delete-topics outcome=done")).contains(TRACE);
        assertThat(line(output, "event=relayed")).doesNotContain("b7ad6b7169203331");
        assertThat(output.getAll().lines().filter(line -> line.contains("ready to go"))).hasSize(1)
                .noneMatch(line -> line.contains("traceId"));
    }

    @Test
    void aCallThatBringsNoTraceBeginsOne(CapturedOutput output) throws Exception {
        post(caller(""));

        var begun = Pattern.compile("event=relayed traceId=([0-9a-f]{32}) spanId=[0-9a-f]{16}$")
                .matcher(line(output, "event=relayed"));
        assertThat(begun.find()).isTrue();
        assertThat(line(output, "command=delete-topics outcome=done")).contains("traceId=" + begun.group(1));
    }

    private static String line(CapturedOutput output, String part) {
        return output.getAll().lines().filter(line -> line.contains(part)).findFirst().orElseThrow(
                () -> new AssertionError("no line with " + part + " in\n" + output));
    }

    /// The port of a service whose calls send a command to another one.
    private int caller(String format) {
        var arguments = format.isEmpty()
                ? new String[0]
                : new String[]{"--logging.structured.format.console=" + format};
        var controller = start("controller", arguments);
        var endpoint = ControllerEndpoint.bind("127.0.0.1", 0, new MetadataPublisher(StreamConfig.DEFAULT, new Nobody(),
                new SimpleMeterRegistry()), new CommandRouter(new Done(), controller.getBean(Telemetry.class)
                        .observations()));
        open.push(endpoint);
        var caller = start("admin-api", arguments);
        var address = new ControllerAddress(0, "127.0.0.1", endpoint.address().getPort());
        var client = ControllerClient.create(new Known(address), caller.getBean(Telemetry.class).observations());
        open.push(client);
        caller.getBean(Relay.Target.class).client.complete(client);
        Relay.log.info("ready to go");
        return caller.getBean(HttpAddress.class).port();
    }

    private ConfigurableApplicationContext start(String name, String... arguments) {
        var context = ServiceApplication.of(name, Service.class, Map.of("server.port", "0", "server.address",
                "127.0.0.1")).run(arguments);
        open.push(context);
        return context;
    }

    private static void post(int port, String... headers) throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/relay"))
                    .POST(HttpRequest.BodyPublishers.noBody()).timeout(TIMEOUT);
            if (headers.length > 0) {
                request.headers(headers);
            }
            assertThat(http.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        }
    }

    private record Known(ControllerAddress address) implements ActiveController {
        @Override
        public CompletableFuture<ControllerAddress> locate() {
            return CompletableFuture.completedFuture(address);
        }

        @Override
        public void forget(ControllerAddress address) {}
    }

    private static final class Done implements CommandHandler {
        @Override
        public <R> CompletableFuture<R> handle(Command<R> command) {
            return CompletableFuture.supplyAsync(() -> command.resultType().cast(new DeleteTopics.Result(List.of())));
        }
    }

    private static final class Nobody implements SubscriberListener {
        @Override
        public void connected(Subscriber subscriber) {}

        @Override
        public void applied(Subscriber subscriber, MetadataVersion version) {}

        @Override
        public void disconnected(Subscriber subscriber) {}
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ServiceConfiguration.class, Relay.class, Relay.Target.class})
    static class Service {}

    @Slf4j
    @RestController
    @RequiredArgsConstructor
    static class Relay {
        private final Target target;

        static class Target {
            final CompletableFuture<ControllerClient> client = new CompletableFuture<>();
        }

        @PostMapping("/relay")
        void relay() throws Exception {
            log.info("event=relayed");
            target.client.get().send(new DeleteTopics(List.of(DeleteTopics.TopicRef.named("t")), 0), TIMEOUT).get();
        }
    }
}
