package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Backoff;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.coordinator.marker.EndedTransaction;
import io.millrace.coordinator.storage.ShardBatch;
import io.millrace.coordinator.storage.ShardStorage;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/// A shard of transactions on virtual time, with owners that die, over a log in memory and partitions that only keep
/// their markers.
final class TransactionWorld {
    static final int MAX_TIMEOUT = 900_000;

    final SimulatedLoop loop = new SimulatedLoop();
    final FakeStorage storage = new FakeStorage(loop);
    final List<Marker> markers = new ArrayList<>();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final TransactionMetrics metrics = new TransactionMetrics(meters, loop.clock());
    private final Random random;
    private final AtomicLong ids = new AtomicLong(1_000);
    private final Map<TopicPartition, Integer> coordinatorEpochs = new HashMap<>();
    private boolean markersHeld;
    private Owner owner;
    private Owner deposed;
    private int epoch;

    /// A marker in a partition.
    record Marker(TopicPartition partition, long producerId, short epoch, boolean commit) {}

    /// A process that owns the shard, until it dies: then nothing of it reaches anybody, nor anything it.
    private final class Owner implements ShardStorage {
        private boolean dead;
        private final Shard<TransactionShard> shard;

        private Owner() {
            var runtime = new ShardRuntime(this, new ShardMetrics(new SimpleMeterRegistry(), loop.ticker()),
                    loop.clock(), loop.ticker(), random,
                    new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1)), new AppendLimits(1000, 50_000));
            var settings = new TransactionSettings(MAX_TIMEOUT, Duration.ofDays(7), Duration.ofSeconds(10),
                    Duration.ofHours(1), Duration.ofMillis(500));
            shard = new Shard<>(0, loop, TransactionShard.type(settings, new TransactionShard.Outside(
                    transaction -> alive(write(transaction)),
                    () -> alive(CompletableFuture.completedFuture(ids.incrementAndGet())),
                    metrics)), runtime, _ -> {});
        }

        private <T> CompletableFuture<T> alive(CompletableFuture<T> answer) {
            var heard = new CompletableFuture<T>();
            answer.whenComplete((value, failure) -> {
                if (dead) {
                    return;
                }
                if (failure == null) {
                    heard.complete(value);
                } else {
                    heard.completeExceptionally(failure);
                }
            });
            return heard;
        }

        private CompletableFuture<Set<TopicPartition>> write(EndedTransaction transaction) {
            var refused = new HashSet<TopicPartition>();
            var parts = transaction.partitions().stream().map(partition -> write(partition, transaction).thenAccept(
                    done -> {
                        if (!done) {
                            refused.add(partition);
                        }
                    })).toList();
            return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).thenApply(_ -> refused);
        }

        /// Completes with false where a later coordinator has written there.
        private CompletableFuture<Boolean> write(TopicPartition partition, EndedTransaction transaction) {
            var written = new CompletableFuture<Boolean>();
            loop.schedule(Duration.ofMillis(1 + random.nextInt(20)), () -> {
                if (dead) {
                    return;
                }
                if (markersHeld) {
                    loop.schedule(Duration.ofSeconds(1), () -> write(partition, transaction)
                            .thenAccept(written::complete));
                } else if (coordinatorEpochs.merge(partition, transaction.coordinatorEpoch(), Math::max) > transaction
                        .coordinatorEpoch()) {
                    written.complete(false);
                } else {
                    markers.add(new Marker(partition, transaction.producerId(), transaction.epoch(),
                            transaction.commit()));
                    written.complete(true);
                }
            });
            return written;
        }

        @Override
        public CompletableFuture<Long> append(int number, int shardEpoch, ShardBatch batch) {
            return dead ? new CompletableFuture<>() : alive(storage.append(number, shardEpoch, batch));
        }

        @Override
        public CompletableFuture<Chunk> read(int number, long offset) {
            return dead ? new CompletableFuture<>() : alive(storage.read(number, offset));
        }
    }

    TransactionWorld(long seed) {
        random = new Random(seed);
        owner = new Owner();
        deposed = owner;
        succeed();
        settle();
    }

    /// The owner dies, and another process gets the shard.
    void succeed() {
        owner.dead = true;
        owner = new Owner();
        owner.shard.own(++epoch);
    }

    /// The owner lives on without knowing that another process has the shard.
    void succeedUnnoticed() {
        deposed = owner;
        owner = new Owner();
        owner.shard.own(++epoch);
    }

    /// A tool writes a marker in the name of a coordinator that is to come.
    void markFromTheFuture(TopicPartition partition) {
        coordinatorEpochs.put(partition, Integer.MAX_VALUE);
    }

    void holdMarkers(boolean held) {
        markersHeld = held;
    }

    /// Lets all that is under way come to its end.
    void settle() {
        loop.advance(Duration.ofSeconds(3));
    }

    <A> CompletableFuture<A> call(Function<TransactionShard, CompletableFuture<A>> call) {
        return owner.shard.call(call);
    }

    CompletableFuture<TransactionAnswer> init(String id) {
        return init(id, -1, (short) -1);
    }

    CompletableFuture<TransactionAnswer> init(String id, long producerId, short producerEpoch) {
        return answer(call(shard -> shard.init(id, 60_000, producerId, producerEpoch)));
    }

    CompletableFuture<TransactionAnswer> add(String id, TransactionAnswer producer, Set<TopicPartition> partitions,
            int version) {
        return answer(call(shard -> shard.add(id, producer.producerId(), producer.epoch(), partitions,
                (short) version)));
    }

    CompletableFuture<TransactionAnswer> end(String id, TransactionAnswer producer, boolean commit, int version) {
        return answer(call(shard -> shard.end(id, producer.producerId(), producer.epoch(), commit,
                (short) version)));
    }

    /// The same at the owner that does not know that it was deposed.
    CompletableFuture<TransactionAnswer> endAtDeposed(String id, TransactionAnswer producer, boolean commit,
            int version) {
        return answer(deposed.shard.call(shard -> shard.end(id, producer.producerId(), producer.epoch(), commit,
                (short) version)));
    }

    CompletableFuture<TransactionAnswer> verify(String id, TransactionAnswer producer, TopicPartition partition) {
        return verify(owner, id, producer, partition);
    }

    /// The same at the owner that does not know that it was deposed.
    CompletableFuture<TransactionAnswer> verifyAtDeposed(String id, TransactionAnswer producer,
            TopicPartition partition) {
        return verify(deposed, id, producer, partition);
    }

    private static CompletableFuture<TransactionAnswer> verify(Owner owner, String id, TransactionAnswer producer,
            TopicPartition partition) {
        return answer(owner.shard.call(shard -> shard.verify(id, producer.producerId(), producer.epoch(), Set.of(
                partition)).thenApply(errors -> TransactionAnswer.refused(errors.getOrDefault(partition,
                        Errors.UNKNOWN_SERVER_ERROR)))));
    }

    /// As a client sees it: a failure is an error code.
    private static CompletableFuture<TransactionAnswer> answer(CompletableFuture<TransactionAnswer> call) {
        return call.exceptionally(failure -> TransactionAnswer.refused(Failures.errorOf(failure)));
    }

    /// What is said once all has settled; UNKNOWN_SERVER_ERROR where nobody ever does.
    TransactionAnswer settled(CompletableFuture<TransactionAnswer> call) {
        settle();
        return call.getNow(TransactionAnswer.refused(Errors.UNKNOWN_SERVER_ERROR));
    }

    String state(String id) {
        var state = call(shard -> {
            var found = shard.find(id);
            return CompletableFuture.completedFuture(found == null ? "unknown" : found.state().label());
        });
        loop.runPending();
        return state.getNow("not answered");
    }
}
