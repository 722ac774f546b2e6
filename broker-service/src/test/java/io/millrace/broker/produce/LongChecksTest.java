package io.millrace.broker.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Timeout;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.broker.directories.BlockingWork;
import io.millrace.broker.partition.Replica;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.disk.Background;
import io.millrace.wire.api.ClientSoftware;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LongChecksTest {
    @TempDir
    private Path directory;
    private final SimulatedLoop loop = new SimulatedLoop();
    private final Queue<Runnable> work = new ArrayDeque<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> handedOn = new ArrayList<>();
    private Replica replica;
    private LongChecks checks;

    @SuppressWarnings("NullAway.Init") // JUnit
    LongChecksTest() {}

    @BeforeEach
    void open() throws IOException {
        replica = new Replica(1, directory, loop);
        checks = new LongChecks(new BlockingWork(background(work::add)), 1000, meters);
    }

    @AfterEach
    void close() {
        replica.close();
    }

    static LongChecks on(SimulatedLoop loop, long mostBytes) {
        return new LongChecks(new BlockingWork(background(loop)), mostBytes, new SimpleMeterRegistry());
    }

    private static Background background(Executor executor) {
        return new Background() {
            @Override
            public void execute(Runnable task) {
                executor.execute(task);
            }

            @Override
            public Timeout schedule(Duration delay, Runnable task) {
                throw new UnsupportedOperationException("nothing is scheduled");
            }
        };
    }

    @Test
    void aRequestWaitsForThoseBeforeItOnItsConnectionAndForNoOther() {
        request("a", "a1", true);
        request("a", "a2", true);
        request("a", "a3", false);
        request("b", "b1", true);
        assertThat(checks.isUnderWay(context("a"))).isTrue();
        assertThat(checks.isUnderWay(context("c"))).isFalse();

        var first = work.remove();
        while (!work.isEmpty()) {
            work.remove().run();
        }
        loop.advance(Duration.ofMillis(1));
        assertThat(handedOn).as("the second is checked, but not its turn").containsExactly("b1", "end of b1");

        first.run();
        loop.advance(Duration.ofMillis(1));
        assertThat(handedOn).containsExactly("b1", "end of b1", "a1", "end of a1", "a2", "end of a2", "a3",
                "end of a3");
        assertThat(checks.isUnderWay(context("a"))).isFalse();
        assertThat(kept()).isZero();
    }

    @Test
    void memoryIsBoundedAndGivenBack() {
        int size = Replica.batch("x").remaining();
        for (int i = 0; i < 1000 / size; i++) {
            request("a", "r" + i, true);
        }
        assertThatThrownBy(() -> request("b", "x", true)).isInstanceOfSatisfying(Refused.class,
                refused -> assertThat(refused.error()).isEqualTo(Errors.REQUEST_TIMED_OUT));

        while (!work.isEmpty()) {
            work.remove().run();
        }
        loop.advance(Duration.ofMillis(1));
        assertThat(kept()).isZero();
        request("b", "y", true);
        assertThat(kept()).isEqualTo(size);
    }

    @Test
    void whatIsRefusedIsHandedOnAsWell() {
        var batch = Replica.batch("x");
        batch.put(batch.limit() - 1, (byte) 7);
        request("a", "bad", batch);
        work.remove().run();
        loop.advance(Duration.ofMillis(1));

        assertThat(handedOn).containsExactly("bad refused", "end of bad");
        assertThat(kept()).isZero();
    }

    private void request(String connection, String name, boolean isLong) {
        if (isLong) {
            request(connection, name, Replica.batch("x"));
        } else {
            var request = checks.of(context(connection));
            request.queue(place(), Replica.batch("x"));
            run(request, name);
        }
    }

    private void request(String connection, String name, ByteBuffer batch) {
        var request = checks.of(context(connection));
        request.check(place(), batch, replica.log(), AppendOrigin.CLIENT);
        run(request, name);
    }

    private void run(LongChecks.Request request, String name) {
        request.run((_, _, batch) -> handedOn.add(name + (batch.isCompletedExceptionally() ? " refused" : "")),
                () -> handedOn.add("end of " + name));
    }

    private double kept() {
        return meters.get("millrace.produce.kept").gauge().value();
    }

    private ProducePart place() {
        return new ProducePart(replica.partition(), new TopicProduceData(), new PartitionProduceResponse());
    }

    private RequestContext context(String connection) {
        return new RequestContext(ApiKeys.PRODUCE, (short) 12, 1, "c", new RequestContext.Connection(connection,
                "PLAINTEXT", InetSocketAddress.createUnresolved("localhost", 1), KafkaPrincipal.ANONYMOUS,
                ClientSoftware.UNKNOWN, loop));
    }
}
