package io.millrace.wire.server;

import static io.millrace.wire.server.FileFetches.request;
import static io.millrace.wire.server.ServerFixture.config;
import static io.millrace.wire.server.ServerFixture.limits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileAnswersIT {
    private static final int SIZE = 8_000_000;

    @TempDir
    private Path directory;
    private FileFetches fetches;
    private ServerFixture fixture;

    @BeforeEach
    void open() throws IOException {
        fetches = new FileFetches(directory, SIZE);
        fixture = ServerFixture.of(config().with(limits(100_000, 4, Duration.ofMinutes(1))), fetches);
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
        assertThat(fetches.isOpen()).isTrue();
        fetches.close();
    }

    @Test
    void slicesAreSentByteByByteAsTheyLieInTheFile() throws IOException {
        var client = fixture.client();
        for (int version = 4; version <= 12; version++) {
            client.send(request(slice(0, 10), slice(5, 0), slice(100, 1), slice(1_000, 3_000_000), slice(SIZE - 1, 1)),
                    version, version);

            var answer = client.receive(FetchResponseData.class, version, version);

            var parts = answer.responses().getFirst().partitions();
            assertThat(bytes(parts.get(0))).isEqualTo(fetches.content(0, 10));
            assertThat(bytes(parts.get(1))).isEmpty();
            assertThat(bytes(parts.get(2))).isEqualTo(fetches.content(100, 1));
            assertThat(bytes(parts.get(3))).isEqualTo(fetches.content(1_000, 3_000_000));
            assertThat(bytes(parts.get(4))).isEqualTo(fetches.content(SIZE - 1, 1));
        }
        await().until(() -> fetches.released() == 9 * 5);
    }

    @Test
    void aClientThatDoesNotReadStopsItsOwnConnectionAlone() throws IOException {
        var slow = fixture.client();
        for (int i = 0; i < 30; i++) {
            slow.send(request(slice(i, SIZE / 2)), 12, i);
        }
        await().until(() -> fetches.taken() >= 4);
        var other = fixture.client();
        other.send(request(slice(0, 5)), 12, 1);
        other.receive(FetchResponseData.class, 12, 1);

        // As many as may be in hand, the other client's one, and those whose answers fit into the sockets' buffers.
        assertThat(fetches.taken()).isBetween(5, 10);
        for (int i = 0; i < 30; i++) {
            var part = slow.receive(FetchResponseData.class, 12, i).responses().getFirst().partitions().getFirst();
            assertThat(bytes(part)).isEqualTo(fetches.content(i, SIZE / 2));
        }
        await().until(() -> fetches.released() == 31);
    }

    @Test
    void slicesAreReleasedOnceWhereTheClientGoesWhileTheyAreSent() throws IOException {
        var client = fixture.client();
        for (int i = 0; i < 6; i++) {
            client.send(request(slice(i, SIZE / 2), slice(0, 10)), 12, i);
        }
        await().until(() -> fetches.taken() >= 8);

        client.socket().setSoLinger(true, 0);
        client.close();

        await().until(() -> fixture.connections() == 0);
        await().until(() -> fetches.released() == fetches.taken());
    }

    @Test
    void slicesAreReleasedWhereTheClientHasGoneBeforeTheyCome() throws IOException {
        var gate = new CompletableFuture<Void>();
        fetches.gate = gate;
        var client = fixture.client();
        client.send(request(slice(0, 10)), 12, 1).send(request(slice(0, 10)), 12, 2);
        await().until(() -> fetches.taken() == 2);
        fixture.server().drain(Duration.ofMillis(20));
        await().until(() -> fixture.connections() == 0);

        gate.complete(null);

        await().until(() -> fetches.released() == 2);
    }

    @Test
    void aConnectionResetWhileARequestIsInHandEndsWithTheAnswer() throws IOException {
        fetches.gate = new CompletableFuture<>();
        var client = fixture.client();
        client.send(request(slice(0, 10)), 12, 1);
        client.socket().shutdownOutput();
        await().until(() -> fetches.taken() == 1);

        client.socket().setSoLinger(true, 0);
        client.close();
        fetches.gate.complete(null);

        await().until(() -> fixture.connections() == 0);
        await().until(() -> fetches.released() == 1);
    }

    private static int[] slice(int position, int size) {
        return new int[]{position, size};
    }

    private static byte[] bytes(FetchResponseData.PartitionData part) {
        ByteBuffer records = ((MemoryRecords) part.records()).buffer();
        var bytes = new byte[records.remaining()];
        records.get(bytes);
        return bytes;
    }
}
