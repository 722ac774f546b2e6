package io.millrace.wire.client;

import static io.millrace.wire.server.HeldHeartbeats.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.base.loop.Backoff;
import io.millrace.wire.error.NodeUnreachable;
import io.millrace.wire.error.Refused;
import io.millrace.wire.server.HeldHeartbeats;
import io.millrace.wire.server.ListenerConfig;
import io.millrace.wire.server.ServerFixture;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.netty.resources.LoopResources;

class NodeClientIT {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final ClientLimits LIMITS = new ClientLimits(3, 5, 1_000_000, Duration.ofSeconds(10),
            Duration.ofMillis(50), new Backoff(Duration.ofMillis(10), Duration.ofMillis(50)));

    private final HeldHeartbeats heartbeats = new HeldHeartbeats();
    private final LoopResources loops = LoopResources.create("client", 1, 2, true);
    private final NodeClient client = NodeClient.create("tester", loops, LIMITS);

    @AfterEach
    void close() {
        client.close();
        loops.disposeLater(Duration.ZERO, Duration.ofSeconds(2)).block(LONG);
    }

    @Test
    void answersReachTheirCallersInTheOrderOfTheRequests() throws Exception {
        try (var fixture = ServerFixture.of(heartbeats)) {
            var node = node(fixture);
            var answers = new ArrayList<CompletableFuture<HeartbeatResponseData>>();
            for (int i = 0; i < 8; i++) {
                heartbeats.answer(i);
                answers.add(client.send(node, request(i), LONG));
                if (i == 0) {
                    get(answers.getFirst()); // connected; up to here only so many may wait
                }
                if (i % 3 == 0) {
                    get(answers.getLast());
                }
            }

            for (int i = 0; i < 8; i++) {
                assertThat(get(answers.get(i)).throttleTimeMs()).isEqualTo(i);
            }
        }
    }

    @Test
    void aNameIsLookedUp() throws Exception {
        try (var fixture = ServerFixture.of(heartbeats)) {
            heartbeats.answer(1);
            var node = new NodeAddress("localhost", fixture.server().address().getPort());

            assertThat(get(client.<HeartbeatResponseData>send(node, request(1), LONG)).throttleTimeMs()).isEqualTo(1);
        }
    }

    @Test
    void noMoreThanTheBoundIsInFlightOrWaits() throws Exception {
        try (var fixture = ServerFixture.of(heartbeats)) {
            var node = node(fixture);
            heartbeats.answer(100);
            get(client.<HeartbeatResponseData>send(node, request(100), LONG));
            var answers = new ArrayList<CompletableFuture<HeartbeatResponseData>>();
            for (int i = 0; i < 9; i++) {
                answers.add(client.send(node, request(i), LONG));
            }

            assertThatThrownBy(() -> get(answers.get(8))).isInstanceOf(NodeUnreachable.class)
                    .hasMessageContaining(node.toString());
            await().until(() -> heartbeats.received() == 4);
            for (int i = 0; i < 8; i++) {
                heartbeats.answer(i);
                get(answers.get(i));
            }
        }
    }

    @Test
    void aRequestThatIsNotAnsweredInTimeFailsAlone() throws Exception {
        try (var fixture = ServerFixture.of(heartbeats)) {
            var node = node(fixture);
            CompletableFuture<HeartbeatResponseData> late = client.send(node, request(1), Duration.ofMillis(20));
            CompletableFuture<HeartbeatResponseData> patient = client.send(node, request(2), LONG);
            heartbeats.answer(2);

            assertThatThrownBy(() -> get(late)).isInstanceOf(TimeoutException.class);
            heartbeats.answer(1);

            assertThat(get(patient).throttleTimeMs()).isEqualTo(2);
        }
    }

    @Test
    void aNodeThatStaysSilentIsGivenUp() throws Exception {
        try (var silent = new ScriptedNode(4, (_, _, _) -> {})) {
            CompletableFuture<HeartbeatResponseData> first = client.send(silent.address(), request(1),
                    Duration.ofMillis(200));
            CompletableFuture<HeartbeatResponseData> second = client.send(silent.address(), request(2), LONG);

            assertThatThrownBy(() -> get(first)).isInstanceOf(TimeoutException.class);
            assertThatThrownBy(() -> get(second)).isInstanceOf(NodeUnreachable.class).hasMessageContaining("silent");
        }
    }

    @Test
    void aBrokenConnectionFailsWhatIsInFlightAndTheNextRequestConnectsAgain() throws Exception {
        var requests = new AtomicInteger();
        try (var node = new ScriptedNode(4, (socket, correlationId, _) -> {
            if (requests.incrementAndGet() == 2) {
                socket.close();
            } else if (requests.get() > 2) {
                ScriptedNode.answer(socket, new HeartbeatResponseData().setThrottleTimeMs(9), (short) 2, correlationId);
            }
        })) {
            CompletableFuture<HeartbeatResponseData> first = client.send(node.address(), request(1), LONG);
            CompletableFuture<HeartbeatResponseData> second = client.send(node.address(), request(2), LONG);
            assertThatThrownBy(() -> get(first)).isInstanceOf(IOException.class)
                    .hasMessageContaining(node.address().toString());
            assertThatThrownBy(() -> get(second)).isInstanceOf(IOException.class);

            CompletableFuture<HeartbeatResponseData> third = client.send(node.address(), request(3), LONG);

            assertThat(get(third).throttleTimeMs()).isEqualTo(9);
            assertThat(node.connections()).isEqualTo(2);
        }
    }

    @Test
    void aNodeThatIsNotThereFailsAtOnceAndIsFoundWhenItComes() throws Exception {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        var node = new NodeAddress("127.0.0.1", port);
        assertThatThrownBy(() -> get(client.send(node, request(1), LONG))).isInstanceOf(NodeUnreachable.class)
                .hasMessageContaining(node.toString());

        try (var fixture = ServerFixture.of(
                new ListenerConfig("PLAINTEXT", "127.0.0.1", port), heartbeats)) {
            heartbeats.answer(2);
            assertThat(get(client.<HeartbeatResponseData>send(node, request(2), LONG)).throttleTimeMs()).isEqualTo(2);
            assertThat(fixture.server().address().getPort()).isEqualTo(port);
        }
    }

    @Test
    void aNodeThatKnowsOnlyTheOldestApiVersionsIsAskedAgain() throws Exception {
        try (var node = new ScriptedNode(0, (socket, correlationId, frame) -> {
            assertThat(frame.getShort(2)).isEqualTo((short) 2); // the highest version that both know
            ScriptedNode.answer(socket, new HeartbeatResponseData().setThrottleTimeMs(3), (short) 2, correlationId);
        })) {
            assertThat(get(client.<HeartbeatResponseData>send(node.address(), request(1), LONG)).throttleTimeMs())
                    .isEqualTo(3);
        }
    }

    @Test
    void anApiThatTheNodeDoesNotSpeakIsRefused() throws Exception {
        try (var node = new ScriptedNode(4, (_, _, _) -> {})) {
            CompletableFuture<HeartbeatResponseData> answer = client.send(node.address(), new FetchRequestData(), LONG);

            assertThatThrownBy(() -> get(answer)).isInstanceOfSatisfying(Refused.class,
                    refused -> assertThat(refused.error()).isEqualTo(Errors.UNSUPPORTED_VERSION));
        }
    }

    @Test
    void aRequestThatTheCommonVersionCannotExpressIsRefusedAndNothingElseIsDisturbed() throws Exception {
        try (var node = new ScriptedNode(4, (socket, correlationId, _) -> ScriptedNode.answer(socket,
                new HeartbeatResponseData().setThrottleTimeMs(4), (short) 2, correlationId))) {
            var inVersion3 = request(1).setGroupInstanceId("static");

            assertThatThrownBy(() -> get(client.send(node.address(), inVersion3, LONG))).isInstanceOf(Refused.class);

            assertThat(get(client.<HeartbeatResponseData>send(node.address(), request(2), LONG)).throttleTimeMs())
                    .isEqualTo(4);
            assertThat(node.connections()).isEqualTo(1);
        }
    }

    @Test
    void garbageInPlaceOfAnAnswerBreaksTheConnection() throws Exception {
        try (var node = new ScriptedNode(4, (socket, _, _) -> socket.getOutputStream()
                .write(ByteBuffer.allocate(12).putInt(8).putInt(77).array()))) {
            assertThatThrownBy(() -> get(client.send(node.address(), request(1), LONG)))
                    .isInstanceOf(NodeUnreachable.class);
            assertThatThrownBy(() -> get(client.send(node.address(), request(2), LONG)))
                    .isInstanceOf(NodeUnreachable.class);
            assertThat(node.connections()).isEqualTo(2);
        }
    }

    @Test
    void aServerThatEndsFailsWhatIsInFlight() throws Exception {
        CompletableFuture<HeartbeatResponseData> answer;
        try (var fixture = ServerFixture.of(heartbeats)) {
            answer = client.send(node(fixture), request(1), LONG);
            await().until(() -> heartbeats.received() == 1);
        }

        assertThatThrownBy(() -> get(answer)).isInstanceOf(NodeUnreachable.class);
    }

    @Test
    void aClosedClientFailsWhatIsInFlightAndWhatComes() throws Exception {
        try (var fixture = ServerFixture.of(heartbeats)) {
            CompletableFuture<HeartbeatResponseData> answer = client.send(node(fixture), request(1), LONG);
            await().until(() -> heartbeats.received() == 1);

            client.close();

            assertThatThrownBy(() -> get(answer)).isInstanceOf(NodeUnreachable.class);
            assertThatThrownBy(() -> get(client.send(node(fixture), request(1), LONG)))
                    .isInstanceOf(NodeUnreachable.class);
        }
    }

    @Test
    void aMisroutedRequestComesBackRefused() throws Exception {
        try (var fixture = ServerFixture.of()) {
            var answer = get(client.<JoinGroupResponseData>send(node(fixture),
                    new JoinGroupRequestData().setGroupId("g"), LONG));

            assertThat(answer.errorCode()).isEqualTo(Errors.NOT_COORDINATOR.code());
        }
    }

    @Test
    void aProduceThatNobodyAnswersIsNotSent() {
        var node = new NodeAddress("127.0.0.1", 1);
        assertThatThrownBy(() -> client.send(node, new ProduceRequestData().setAcks((short) 0), LONG))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static NodeAddress node(ServerFixture fixture) {
        return new NodeAddress("127.0.0.1", fixture.server().address().getPort());
    }

    private static <A> A get(CompletableFuture<A> future) throws Exception {
        try {
            return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }
}
