package io.millrace.coordinator.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.coordinator.record.Bytes;
import io.millrace.coordinator.record.EncodedRecord;
import io.millrace.coordinator.storage.ShardBatch;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AppendQueueTest {
    private final SimulatedLoop loop = new SimulatedLoop();
    private final Deque<CompletableFuture<Long>> appends = new ArrayDeque<>();
    private final List<Integer> sizes = new ArrayList<>();
    private final List<Errors> lost = new ArrayList<>();
    private @Nullable RuntimeException broken;
    private final AppendQueue<String> queue = new AppendQueue<>(loop, new AppendLimits(1_000, 10_000),
            AppendQueueTest::encode, this::append, new ShardMetrics(new SimpleMeterRegistry(), loop.ticker()),
            lost::add);

    private static EncodedRecord encode(String record) {
        return new EncodedRecord(Bytes.of(record.getBytes(StandardCharsets.UTF_8)), null);
    }

    private CompletableFuture<Long> append(ShardBatch batch) {
        if (broken != null) {
            throw broken;
        }
        var answer = new CompletableFuture<Long>();
        sizes.add(batch.records().size());
        appends.add(answer);
        return answer;
    }

    private void run(Runnable task) {
        loop.execute(task);
        loop.runPending();
    }

    @Test
    void whoeverAsksForAConfirmationWhenTheQueueIsClosedIsToldSo() {
        var told = new ArrayList<Errors>();
        run(() -> {
            queue.append(List.of("in flight"), told::add);
            queue.confirm("mark", told::add);
            queue.confirm("mark", told::add);
            queue.close(Errors.NOT_COORDINATOR);
        });
        assertThat(told).containsExactly(Errors.NOT_COORDINATOR, Errors.NOT_COORDINATOR, Errors.NOT_COORDINATOR);

        run(() -> queue.confirm("mark", told::add));

        assertThat(told).as("not left to wait with those that were told before").hasSize(4);
    }

    @Test
    void whoeverAsksAgainWhenToldThatTheQueueIsClosedIsToldAgain() {
        var told = new ArrayList<Errors>();
        run(() -> {
            queue.append(List.of("in flight"), told::add);
            queue.confirm("mark", first -> queue.confirm("mark", told::add));
            queue.close(Errors.NOT_COORDINATOR);
        });

        assertThat(told).containsExactly(Errors.NOT_COORDINATOR, Errors.NOT_COORDINATOR);
    }

    @Test
    void anAppendThatBreaksIsSettledAndTheNextOneIsSent() {
        var told = new ArrayList<Errors>();
        broken = new IllegalStateException("planted");
        run(() -> queue.append(List.of("first"), told::add));
        assertThat(told).containsExactly(Errors.UNKNOWN_SERVER_ERROR);
        assertThat(lost).as("nobody knows what became of it").containsExactly(Errors.UNKNOWN_SERVER_ERROR);

        broken = null;
        run(() -> queue.append(List.of("second"), told::add));
        appends.remove().complete(0L);
        loop.runPending();

        assertThat(told).containsExactly(Errors.UNKNOWN_SERVER_ERROR, Errors.NONE);
    }

    @Test
    void whatNobodyWaitsForGoesWithWhatComesNext() {
        var told = new ArrayList<String>();
        run(() -> {
            queue.appendBehind(List.of("behind"), _ -> told.add("behind"));
            queue.append(List.of("next"), _ -> told.add("next"));
        });
        assertThat(sizes).containsExactly(2);

        appends.remove().complete(0L);
        loop.runPending();
        assertThat(told).containsExactly("behind", "next");
        loop.advance(Duration.ofSeconds(1));
        assertThat(sizes).hasSize(1);
    }

    @Test
    void whatNobodyWaitsForGoesAloneWhereNothingComes() {
        run(() -> queue.appendBehind(List.of("behind"), _ -> {}));
        run(() -> queue.appendBehind(List.of("one more"), _ -> {}));
        assertThat(sizes).isEmpty();

        loop.advance(Duration.ofSeconds(1));

        assertThat(sizes).containsExactly(2);
    }

    @Test
    void whatNobodyWaitsForIsSettledWhenTheQueueIsClosed() {
        var told = new ArrayList<Errors>();
        run(() -> {
            queue.appendBehind(List.of("behind"), told::add);
            queue.close(Errors.NOT_COORDINATOR);
        });

        loop.advance(Duration.ofSeconds(1));

        assertThat(told).containsExactly(Errors.NOT_COORDINATOR);
        assertThat(sizes).isEmpty();
    }
}
