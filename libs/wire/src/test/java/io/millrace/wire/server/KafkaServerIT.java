package io.millrace.wire.server;

import static io.millrace.wire.server.HeldHeartbeats.request;
import static org.apache.kafka.common.protocol.ApiKeys.API_VERSIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.TimeoutException;

import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaServerIT {
    private final HeldHeartbeats heartbeats = new HeldHeartbeats();
    private ServerFixture fixture = ServerFixture.of(heartbeats);

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void answersLeaveInTheOrderOfTheRequestsHoweverTheyComplete() throws IOException {
        var client = fixture.client();
        for (int i = 0; i < 5; i++) {
            client.send(request(i), 4, 100 + i);
        }
        await().until(() -> heartbeats.received() == 5);

        for (int i = 4; i >= 0; i--) {
            heartbeats.answer(i);
        }

        for (int i = 0; i < 5; i++) {
            assertThat(client.receive(HeartbeatResponseData.class, 4, 100 + i).throttleTimeMs()).isEqualTo(i);
        }
    }

    @Test
    void requestsOfOneSegmentAreAllAnswered() throws IOException {
        var client = fixture.client();
        var segment = ByteBuffer.allocate(65_536);
        for (int i = 0; i < 200; i++) {
            heartbeats.answer(i);
            segment.put(RawClient.frame(request(i), 4, i));
        }
        client.send(Arrays.copyOf(segment.array(), segment.position()));

        for (int i = 0; i < 200; i++) {
            assertThat(client.receive(HeartbeatResponseData.class, 4, i).throttleTimeMs()).isEqualTo(i);
        }
    }

    @Test
    void aRequestThatComesByteByByteIsAnswered() throws IOException {
        heartbeats.answer(7);
        var client = fixture.client();
        for (byte one : RawClient.frame(request(7), 4, 1)) {
            client.send(one);
        }

        assertThat(client.receive(HeartbeatResponseData.class, 4, 1).throttleTimeMs()).isEqualTo(7);
    }

    @Test
    void noMoreThanTheBoundIsTakenFromAConnection() throws Exception {
        fixture.close();
        fixture = ServerFixture.of(
                ServerFixture.config().with(ServerFixture.limits(1000, 3, Duration.ofMinutes(1))), heartbeats);
        var client = fixture.client();
        for (int i = 0; i < 10; i++) {
            client.send(request(i), 4, i);
        }
        await().until(() -> heartbeats.received() == 3);

        for (int i = 0; i < 10; i++) {
            assertThat(heartbeats.received()).isEqualTo(Math.min(10, 3 + i));
            heartbeats.answer(i);
            client.receive(HeartbeatResponseData.class, 4, i);
            int taken = Math.min(10, 4 + i);
            await().until(() -> heartbeats.received() == taken);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 104_857_601, 0x47455420 /* "GET " */ })
    void aSizeOutOfBoundsEndsThatConnectionAlone(int size) throws IOException {
        heartbeats.answer(1);
        var other = fixture.client();
        var client = fixture.client();

        client.send(ByteBuffer.allocate(40).putInt(size).array());

        assertThat(client.isEnded()).isTrue();
        other.send(request(1), 4, 1).receive(HeartbeatResponseData.class, 4, 1);
        assertThat(fixture.meters().get("millrace.network.requests.invalid").counter().count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"03e7 0000 00000001 ffff", // unknown key 999
            "ffff 0000 00000001 ffff", "0007 0003 00000001 ffff 00", // ControlledShutdown, gone
            "000c 0063 00000001 ffff 00", // Heartbeat of version 99
            "0000 0002 00000001 ffff", // Produce 2: listed, not answered
            "0016 0006 00000001 ffff 00", // InitProducerId 6 is not stable
            "0019 0000 00000001 ffff", // AddPartitionsToTxn: not offered
            "000c 0004 00000001 ffff 00 05 67", // body ends early
            "000c 0004 00000001 7fff 00", // client id longer than the frame
            "00"})
    void whatIsNoRequestThatIsAnsweredEndsTheConnection(String hex) throws IOException {
        var body = HexFormat.of().parseHex(hex.replace(" ", ""));
        var client = fixture.client();

        client.send(ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).array());

        assertThat(client.isEnded()).isTrue();
        await().until(() -> fixture.connections() == 0);
        assertThat(heartbeats.received()).isZero();
    }

    @Test
    void apiVersionsOfAnUnknownVersionIsAnsweredInTheOldestForm() throws IOException {
        var client = fixture.client();
        client.send(HexFormat.of().parseHex("0000000d0012007f00000005ffff000101"));

        ApiVersionsResponseData answer = client.receive(ApiVersionsResponseData.class, 0, 5);

        assertThat(answer.errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        assertThat(answer.apiKeys()).singleElement().satisfies(range -> {
            assertThat(range.apiKey()).isEqualTo(API_VERSIONS.id);
            assertThat(range.maxVersion()).isEqualTo(API_VERSIONS.latestVersion());
        });
    }

    @Test
    void apiVersionsTellsTheWholeTableInEveryVersion() throws IOException {
        var client = fixture.client();
        for (short version : API_VERSIONS.allVersions()) {
            var request = new ApiVersionsRequestData();
            request.setClientSoftwareName("raw").setClientSoftwareVersion("1");
            client.send(request, version, version);

            ApiVersionsResponseData answer = client.receive(ApiVersionsResponseData.class, version, version);

            assertThat(answer.errorCode()).isZero();
            assertThat(answer.apiKeys().find(ApiKeys.PRODUCE.id).minVersion()).isZero();
            assertThat(answer.apiKeys().find(ApiKeys.INIT_PRODUCER_ID.id).maxVersion()).isEqualTo((short) 5);
            assertThat(answer.finalizedFeatures().find("group.version") == null).isEqualTo(version < 3);
        }
    }

    @Test
    void aClientThatHidesItsSoftwareIsRefused() throws IOException {
        var client = fixture.client();
        client.send(new ApiVersionsRequestData().setClientSoftwareName("a b"), 3, 1);

        ApiVersionsResponseData answer = client.receive(ApiVersionsResponseData.class, 3, 1);

        assertThat(answer.errorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
    }

    @Test
    void failuresBecomeKafkasCodes() throws IOException {
        heartbeats.future(1).completeExceptionally(new Refused(Errors.ILLEGAL_GENERATION, "old"));
        heartbeats.future(2).completeExceptionally(new TimeoutException());
        heartbeats.future(3).completeExceptionally(new IllegalStateException("a bug"));
        var client = fixture.client();
        for (int i = 1; i <= 3; i++) {
            client.send(request(i), 4, i);
        }

        assertThat(client.receive(HeartbeatResponseData.class, 4, 1).errorCode())
                .isEqualTo(Errors.ILLEGAL_GENERATION.code());
        assertThat(client.receive(HeartbeatResponseData.class, 4, 2).errorCode())
                .isEqualTo(Errors.REQUEST_TIMED_OUT.code());
        assertThat(client.receive(HeartbeatResponseData.class, 4, 3).errorCode())
                .isEqualTo(Errors.UNKNOWN_SERVER_ERROR.code());
    }

    @Test
    void whatIsInHandIsAnsweredAfterTheClientEndedItsSide() throws IOException {
        var client = fixture.client();
        client.send(request(1), 4, 1).send(request(2), 4, 2);
        client.send((byte) 0, (byte) 0, (byte) 0, (byte) 50, (byte) 1); // and a request that never comes whole
        client.socket().shutdownOutput();
        await().until(() -> heartbeats.received() == 2);

        heartbeats.answer(2);
        heartbeats.answer(1);

        client.receive(HeartbeatResponseData.class, 4, 1);
        client.receive(HeartbeatResponseData.class, 4, 2);
        assertThat(client.isEnded()).isTrue();
        await().until(() -> fixture.connections() == 0);
    }

    @Test
    void aConnectionWithNothingInHandEndsWithItsClient() throws IOException {
        var client = fixture.client();
        await().until(() -> fixture.connections() == 1);

        client.close();

        await().until(() -> fixture.connections() == 0);
    }

    @Test
    void anIdleConnectionIsEndedButNotWhileARequestIsInHand() throws Exception {
        fixture.close();
        fixture = ServerFixture.of(
                ServerFixture.config().with(ServerFixture.limits(1000, 3, Duration.ofMillis(150))), heartbeats);
        var busy = fixture.client();
        busy.send(request(1), 4, 1);
        await().until(() -> heartbeats.received() == 1);
        var idle = fixture.client();

        assertThat(idle.isEnded()).isTrue();

        heartbeats.answer(1);
        busy.receive(HeartbeatResponseData.class, 4, 1);
        assertThat(busy.isEnded()).isTrue();
    }

    @Test
    void connectionsBeyondTheBoundAreEnded() throws Exception {
        fixture.close();
        fixture = ServerFixture.of(ServerFixture.config().with(new ListenerConfig.TotalLimits(2, 2, 1_000_000)),
                heartbeats);
        var first = fixture.client();
        var second = fixture.client();
        await().until(() -> fixture.connections() == 2);

        assertThat(fixture.client().isEnded()).isTrue();

        first.close();
        await().until(() -> fixture.connections() == 1);
        heartbeats.answer(1);
        fixture.client().send(request(1), 4, 1).receive(HeartbeatResponseData.class, 4, 1);
        second.send(request(1), 4, 1).receive(HeartbeatResponseData.class, 4, 1);
    }

    @Test
    void connectionsOfOneAddressAreBounded() throws Exception {
        fixture.close();
        fixture = ServerFixture.of(ServerFixture.config().with(new ListenerConfig.TotalLimits(10, 1, 1_000_000)),
                heartbeats);
        fixture.client();
        await().until(() -> fixture.connections() == 1);

        assertThat(fixture.client().isEnded()).isTrue();
        assertThat(fixture.meters().get("millrace.network.connections.refused").counter().count()).isEqualTo(1);
    }

    @Test
    void drainingAnswersWhatIsInHandAndTakesNothingMore() throws Exception {
        var client = fixture.client();
        var idle = fixture.client();
        client.send(request(1), 4, 1);
        await().until(() -> heartbeats.received() == 1);
        var draining = Thread.ofPlatform().start(() -> fixture.server().drain(Duration.ofSeconds(20)));
        await().until(() -> draining.getState() == Thread.State.TIMED_WAITING); // every connection is told
        fixture.awaitLoops();
        assertThat(idle.isEnded()).isTrue();
        client.send(request(2), 4, 2);

        heartbeats.answer(1);

        client.receive(HeartbeatResponseData.class, 4, 1);
        assertThat(client.isEnded()).isTrue();
        assertThat(draining.join(Duration.ofSeconds(20))).isTrue();
        assertThat(heartbeats.received()).isEqualTo(1);
    }

    @Test
    void drainingEndsAtItsDeadline() throws IOException {
        var client = fixture.client();
        client.send(request(1), 4, 1);
        await().until(() -> heartbeats.received() == 1);

        fixture.server().drain(Duration.ofMillis(50));

        assertThat(client.isEnded()).isTrue();
    }
}
