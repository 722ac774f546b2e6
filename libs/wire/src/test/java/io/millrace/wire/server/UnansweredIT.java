package io.millrace.wire.server;

import static io.millrace.wire.server.UnansweredProduces.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnansweredIT {
    private final UnansweredProduces produces = new UnansweredProduces();
    private ServerFixture fixture = ServerFixture.of(produces);

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    @Test
    void aProduceWithoutAcksGetsNoAnswerAndDisturbsNone() throws IOException {
        var client = fixture.client();
        client.send(request("t", 0, random(100)), 9, 1)
                .send(request("t", 1, random(100)), 9, 2)
                .send(request("t", 0, random(100)), 9, 3)
                .send(request("t", -1, random(100)), 9, 4);

        client.receive(ProduceResponseData.class, 9, 2);
        client.receive(ProduceResponseData.class, 9, 4);
        assertThat(produces.received).hasSize(4);
    }

    @Test
    void itsFailureEndsTheConnection() throws IOException {
        var client = fixture.client();
        client.send(request("t", 1, random(10)), 9, 1).send(request("bad", 0, random(10)), 9, 2);

        client.receive(ProduceResponseData.class, 9, 1);
        assertThat(client.isEnded()).isTrue();
        await().until(() -> fixture.connections() == 0);
    }

    @Test
    void aNodeThatServesNoProduceEndsTheConnectionAsWell() throws IOException {
        fixture.close();
        fixture = ServerFixture.of();
        var client = fixture.client();
        client.send(request("t", 1, random(10)), 9, 1).send(request("t", 0, random(10)), 9, 2);

        client.receive(ProduceResponseData.class, 9, 1);
        assertThat(client.isEnded()).isTrue();
    }

    @Test
    void aRefusedProduceSaysSoOfEachPartition() throws IOException {
        var client = fixture.client();
        client.send(request("bad", 1, random(10)), 9, 1);

        var refused = client.receive(ProduceResponseData.class, 9, 1);

        assertThat(refused.responses().iterator().next().partitionResponses()).singleElement()
                .satisfies(part -> assertThat(part.errorCode()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER.code()));
    }

    @Test
    void recordsArriveAsTheyWereSentHoweverLargeTheRequest() throws IOException {
        var client = fixture.client();
        for (int size : new int[]{0, 1, 60_000, 65_536, 200_000, 5_000_000}) {
            var records = random(size);
            client.send(request("t", 1, records), 9, size);

            client.receive(ProduceResponseData.class, 9, size);

            assertThat(produces.received.remove()).isEqualTo(ByteBuffer.wrap(records));
        }
    }

    @Test
    void requestsBeyondTheMemoryWaitForThoseBeforeThem() throws IOException {
        fixture.close();
        fixture = ServerFixture.of(ServerFixture.config().with(new ListenerConfig.TotalLimits(10, 10, 100_000)),
                produces);
        var frame = RawClient.frame(request("t", 1, random(500_000)), 9, 1);
        var first = fixture.client();
        var second = fixture.client();
        first.send(Arrays.copyOf(frame, 400_000)); // takes all the memory
        var waiting = CompletableFuture.runAsync(() -> {
            try {
                second.send(frame);
                second.receive(ProduceResponseData.class, 9, 1);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
        assertThat(waiting).isNotDone();
        assertThat(produces.received).isEmpty();

        first.send(Arrays.copyOfRange(frame, 400_000, frame.length));

        first.receive(ProduceResponseData.class, 9, 1);
        await().atMost(Duration.ofSeconds(10)).until(waiting::isDone);
        assertThat(waiting).isCompleted();
        assertThat(produces.received).hasSize(2);
    }

    @Test
    void requestsThatWaitForTheirAnswerHoldNoneOfTheMemory() throws IOException {
        fixture.close();
        fixture = ServerFixture.of(ServerFixture.config().with(new ListenerConfig.TotalLimits(10, 10, 100_000)),
                produces);

        for (int i = 0; i < 8; i++) {
            fixture.client().send(request("held", 1, random(500_000)), 9, i);
        }

        await().atMost(Duration.ofSeconds(10)).until(() -> produces.received.size() == 8);
    }

    @Test
    void aConnectionThatDiesInTheMiddleOfARequestGivesItsMemoryBack() throws IOException {
        fixture.close();
        fixture = ServerFixture.of(ServerFixture.config().with(new ListenerConfig.TotalLimits(10, 10, 100_000)),
                produces);
        var frame = RawClient.frame(request("t", 1, random(500_000)), 9, 1);
        var dying = fixture.client();
        dying.send(Arrays.copyOf(frame, 400_000));
        dying.close();

        fixture.client().send(frame).receive(ProduceResponseData.class, 9, 1);
    }

    private static byte[] random(int size) {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
