package io.millrace.metadata.endpoint;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.millrace.metadata.command.AllocateProducerIds;
import io.millrace.metadata.command.AllocateProducerIds.ProducerIds;
import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.ConfigOutcome;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.command.AlterReassignments;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.CommandHandler;
import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.CommandRouter;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.command.CreatePartitions;
import io.millrace.metadata.command.CreatePartitions.PartitionsSpec;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.DeleteTopics.TopicRef;
import io.millrace.metadata.command.ElectLeaders;
import io.millrace.metadata.command.NotActive;
import io.millrace.metadata.command.ReplicasOffline;
import io.millrace.metadata.command.ReplicasOffline.TopicPartitions;
import io.millrace.metadata.command.ShardsPrepared;
import io.millrace.metadata.command.TopicOutcome;
import io.millrace.metadata.controller.ActiveController;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.controller.WireVersion;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.stream.MetadataPublisher;
import io.millrace.metadata.stream.StreamConfig;
import io.millrace.metadata.stream.Subscriber;
import io.millrace.metadata.stream.SubscriberListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Commands over real sockets.
class CommandsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Command<ProducerIds> ANY = new AllocateProducerIds(1, 2);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<Runnable> changes = new ArrayList<>();
    private final AtomicInteger handled = new AtomicInteger();
    private final ObservationRegistry observations = ObservationRegistry.create();

    @AfterEach
    void close() throws Exception {
        for (var closeable : open) {
            closeable.close();
        }
    }

    private ControllerAddress controller(Function<Command<?>, CompletableFuture<?>> answer) {
        var publisher = new MetadataPublisher(StreamConfig.DEFAULT, new SubscriberListener() {
            @Override
            public void connected(Subscriber subscriber) {}

            @Override
            public void applied(Subscriber subscriber, MetadataVersion version) {}

            @Override
            public void disconnected(Subscriber subscriber) {}
        }, new SimpleMeterRegistry());
        var endpoint = ControllerEndpoint.bind("127.0.0.1", 0, publisher, new CommandRouter(new CommandHandler() {
            @Override
            public <R> CompletableFuture<R> handle(Command<R> command) {
                handled.incrementAndGet();
                return answer.apply(command).thenApply(result -> command.resultType().cast(result));
            }
        }, observations));
        open.add(endpoint);
        return new ControllerAddress(4, "127.0.0.1", endpoint.address().getPort());
    }

    private ControllerClient client(ControllerAddress... addresses) {
        var next = new AtomicInteger();
        var client = ControllerClient.create(new ActiveController() {
            @Override
            public CompletableFuture<ControllerAddress> locate() {
                return addresses.length == 0
                        ? CompletableFuture.failedFuture(new IOException("nobody"))
                        : CompletableFuture.completedFuture(addresses[Math.min(next.get(), addresses.length - 1)]);
            }

            @Override
            public void forget(ControllerAddress address) {
                next.incrementAndGet();
            }

            @Override
            public void onChange(Runnable changed) {
                changes.add(changed);
            }
        }, observations);
        open.add(client);
        return client;
    }

    private static CompletableFuture<?> failing(RuntimeException failure) {
        return CompletableFuture.failedFuture(failure);
    }

    static Stream<Arguments> commands() {
        var id = new UUID(3, 4);
        var outcomes = List.of(new TopicOutcome("t", id, (short) 0, null, 3, 1),
                TopicOutcome.refused(null, id, (short) 100, "unknown"));
        return Stream.of(Arguments.of(new CreateTopics(List.of(new NewTopic("t", -1, -1, Map.of(0, List.of(1, 2)), Map
                .of("retention.ms", "1"))), true, 5), new CreateTopics.Result(outcomes)),
                Arguments.of(new DeleteTopics(List.of(TopicRef.named("t"), TopicRef.identified(id)), 7),
                        new DeleteTopics.Result(outcomes)),
                Arguments.of(new CreatePartitions(List.of(new PartitionsSpec("t", 4, List.of(List.of(1), List.of(2)))),
                        false, 5), new CreatePartitions.Result(outcomes)),
                Arguments.of(new AlterConfigs(List.of(new ConfigAlteration(ConfigResource.allBrokers(), List.of(new Op(
                        "a", null, OpType.DELETE), new Op("b", "c", OpType.APPEND)))), false, true),
                        new AlterConfigs.Result(List.of(new ConfigOutcome(ConfigResource.topic("t"), (short) 40,
                                "no")))),
                Arguments.of(new AllocateProducerIds(1, 1L << 50), new ProducerIds(1L << 60, 1_000)),
                Arguments.of(new ControlledShutdown(Role.COORDINATOR, 1000, 9), new ControlledShutdown.Result(2)),
                Arguments.of(new AlterPartition(1, 1L << 50, List.of(new Proposal(id, 3, 4, 5, List.of(new InSync(1,
                        1L << 50), new InSync(2, AlterPartition.ANY_EPOCH))))), new AlterPartition.Result(List.of(
                                new AlterPartition.Outcome(id, 3, (short) 0, 1, 4, 6, List.of(1, 2))))),
                Arguments.of(new ReplicasOffline(1, 2, List.of(new TopicPartitions(id, List.of(0, 7)))),
                        new ReplicasOffline.Result()),
                Arguments.of(new ShardsPrepared(1000, 2, List.of(new ShardsPrepared.Prepared(ShardKind.GROUP, 3, 4))),
                        new ShardsPrepared.Result(1)),
                Arguments.of(new ElectLeaders(ElectLeaders.Type.UNCLEAN, List.of(new ElectLeaders.TopicPartition("t",
                        2)), 5), new ElectLeaders.Result(List.of(new ElectLeaders.Outcome("t", 2, (short) 84,
                                "not needed")))),
                Arguments.of(new ElectLeaders(ElectLeaders.Type.PREFERRED, null, 0), new ElectLeaders.Result(List
                        .of())),
                Arguments.of(new AlterReassignments(List.of(new AlterReassignments.Target("t", 1, List.of(3, 2)),
                        new AlterReassignments.Target("t", 2, null)), true, false, 5), new AlterReassignments.Result(
                                List.of(new AlterReassignments.Outcome("t", 1, (short) 0, null),
                                        new AlterReassignments.Outcome("t", 2, (short) 85, "none running")))));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandAndItsAnswerArriveAsTheyWere(Command<?> command, Object result) throws Exception {
        var address = controller(arrived -> {
            assertThat(arrived).isEqualTo(command);
            return CompletableFuture.completedFuture(result);
        });

        assertThat((Object) client(address).send(command, TIMEOUT).get(30, TimeUnit.SECONDS)).isEqualTo(result);
    }

    @Test
    void refusalKeepsItsCode() {
        var address = controller(_ -> failing(new CommandRefused((short) 41, "not now")));

        assertThatThrownBy(() -> client(address).send(ANY, TIMEOUT).get(30, TimeUnit.SECONDS)).cause()
                .isInstanceOfSatisfying(CommandRefused.class, refused -> {
                    assertThat(refused.errorCode()).isEqualTo((short) 41);
                    assertThat(refused).hasMessage("not now");
                });
        assertThat(handled).hasValue(1);
    }

    @Test
    void bugOfTheControllerIsNotToldAndNotRepeated() {
        var address = controller(_ -> failing(new IllegalStateException("secret")));

        assertThatThrownBy(() -> client(address).send(ANY, TIMEOUT).get(30, TimeUnit.SECONDS))
                .hasMessageContaining("500")
                .hasMessageNotContaining("secret");
        assertThat(handled).hasValue(1);
    }

    @Test
    void standbySendsTheClientToTheActiveOne() throws Exception {
        var active = controller(_ -> CompletableFuture.completedFuture(new ProducerIds(5, 1)));
        var standby = controller(_ -> failing(new NotActive(active)));

        assertThat(client(standby).send(ANY, TIMEOUT).get(30, TimeUnit.SECONDS)).isEqualTo(new ProducerIds(5, 1));
    }

    @Test
    void refusedConnectionIsTriedAgainElsewhere() throws Exception {
        var active = controller(_ -> CompletableFuture.completedFuture(new ProducerIds(5, 1)));
        int free;
        try (var socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }

        assertThat(client(new ControllerAddress(1, "127.0.0.1", free), active).send(ANY, TIMEOUT)
                .get(30, TimeUnit.SECONDS)).isEqualTo(new ProducerIds(5, 1));
    }

    @Test
    void anotherControllerIsAskedWhereTheFirstDiesWithTheCommandInHand() throws Exception {
        var active = controller(_ -> CompletableFuture.completedFuture(new ProducerIds(5, 1)));
        try (var dying = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (var connection = dying.accept()) {
                    connection.getInputStream().read();
                } catch (IOException _) {
                    // It dies all the same.
                }
            });

            assertThat(client(new ControllerAddress(1, "127.0.0.1", dying.getLocalPort()), active).send(ANY, TIMEOUT)
                    .get(30, TimeUnit.SECONDS)).isEqualTo(new ProducerIds(5, 1));
        }
    }

    @Test
    void anotherControllerIsAskedOnceItTookOverFromOneThatHangs() throws Exception {
        var hanging = controller(_ -> new CompletableFuture<>());
        var active = controller(_ -> CompletableFuture.completedFuture(new ProducerIds(5, 1)));
        var client = client(hanging, active);

        var answer = client.send(ANY, TIMEOUT);
        await().atMost(TIMEOUT).until(() -> handled.get() == 1);
        changes.forEach(Runnable::run);

        assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(new ProducerIds(5, 1));
    }

    @Test
    void controllerThatDoesNotAnswerIsNotAskedTwice() {
        var address = controller(_ -> new CompletableFuture<>());

        assertThatThrownBy(() -> client(address).send(ANY, Duration.ofSeconds(1)).get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(TimeoutException.class);
        assertThat(handled).hasValue(1);
    }

    @Test
    void withoutAnyControllerTheDeadlineHolds() {
        assertThatThrownBy(() -> client().send(ANY, Duration.ofMillis(300)).get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(TimeoutException.class)
                .hasMessageContaining("nobody");
    }

    @Test
    void rubbishIsAnsweredWithAProblemAndReachesNobody() throws Exception {
        var address = controller(_ -> new CompletableFuture<>());

        assertThat(post(address, "nonsense", "{}").statusCode()).isEqualTo(404);
        assertThat(post(address, "create-topics", "{").statusCode()).isEqualTo(400);
        assertThat(post(address, "create-topics", "{}").statusCode()).isEqualTo(400);
        assertThat(post(address, "create-topics", "null").statusCode()).isEqualTo(400);
        assertThat(post(address, "create-topics", "").statusCode()).isEqualTo(400);
        assertThat(post(address, "create-topics", "x".repeat(9 << 20)).statusCode()).isEqualTo(413);
        assertThat(handled).hasValue(0);
    }

    @Test
    void aCommandOfALaterVersionIsRefusedAsUnsupported() throws Exception {
        var address = controller(_ -> new CompletableFuture<>());

        assertThat(post(address, "split-topics", "{}").body()).contains("\"errorCode\":35", "no command split-topics");
    }

    @Test
    void whatALaterVersionAddsToACommandIsPassedOver() throws Exception {
        var address = controller(command -> {
            assertThat(command).isEqualTo(new DeleteTopics(List.of(TopicRef.named("t")), 7));
            return CompletableFuture.completedFuture(new DeleteTopics.Result(List.of()));
        });

        assertThat(post(address, "delete-topics", """
                {"topics":[{"name":"t","id":null,"later":[1]}],"timeoutMillis":7,"later":{"deep":true}}""")
                .statusCode())
                .isEqualTo(200);
    }

    @Test
    void whatAnEarlierVersionDoesNotSayOfACommandIsZeroFalseOrNothing() throws Exception {
        var address = controller(command -> {
            assertThat(command).isEqualTo(new AlterReassignments(List.of(new AlterReassignments.Target("t", 0, null)),
                    false, false, 0));
            return CompletableFuture.completedFuture(new AlterReassignments.Result(List.of()));
        });

        assertThat(post(address, "alter-reassignments", """
                {"targets":[{"topic":"t"}]}""").statusCode()).isEqualTo(200);
    }

    @Test
    void anotherWireVersionIsRefusedAndSaysWhichAreSpoken() throws Exception {
        var address = controller(_ -> new CompletableFuture<>());

        var answer = post(address, "create-topics", "{}", WireVersion.HEADER, "2");

        assertThat(answer.statusCode()).isEqualTo(505);
        assertThat(answer.body()).contains("wire version 2", "1 to 1 are", "\"errorCode\":35");
        assertThat(post(address, "create-topics", "{}", WireVersion.HEADER, "new").statusCode()).isEqualTo(505);
        assertThat(answer.headers().firstValue(WireVersion.HEADER)).hasValue("1");
        var stream = post(address, "../metadata/stream", "", WireVersion.HEADER, "2");
        assertThat(stream.statusCode()).isEqualTo(505);
        assertThat(stream.headers().firstValue(WireVersion.HEADER)).hasValue("1");
        assertThat(handled).hasValue(0);
    }

    /// As a tracer does it: what the sender's side puts into the headers is there at the receiver's.
    @Test
    void whatBelongsToATraceGoesAlongWithEachTry() throws Exception {
        var received = new ArrayList<String>();
        observations.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public void onStart(Observation.Context context) {
                switch (context) {
                    case SenderContext<?> sender -> put(sender);
                    case ReceiverContext<?> receiver -> received.add(get(receiver));
                    default -> fail("nothing else is observed: %s", context);
                }
            }

            private <C> void put(SenderContext<C> sender) {
                sender.getSetter().set(sender.getCarrier(), "traceparent", "of the caller");
            }

            private <C> String get(ReceiverContext<C> receiver) {
                return requireNonNull(receiver.getGetter().get(requireNonNull(receiver.getCarrier()), "traceparent"));
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        var active = controller(_ -> CompletableFuture.completedFuture(new ProducerIds(5, 1)));
        var standby = controller(_ -> failing(new NotActive(active)));

        client(standby).send(ANY, TIMEOUT).get(30, TimeUnit.SECONDS);

        assertThat(received).containsExactly("of the caller", "of the caller");
    }

    private static HttpResponse<String> post(ControllerAddress address, String command, String body,
            String... headers) throws Exception {
        try (var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var request = HttpRequest.newBuilder(URI.create("http://" + address.host() + ":" + address.port()
                    + "/commands/" + command).normalize()).POST(HttpRequest.BodyPublishers.ofString(body));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
