package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.Batches;
import io.millrace.log.batch.ControlBatch;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.transaction.AbortedTransaction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Random transactions of several producers, on a log and on a list that is gone over anew for each question: both must say
/// the same of what is stable, of who has a transaction open, and of what a consumer of committed records gets.
class TransactionPropertyTest {
    private static final int STEPS = 250;
    private static final int PRODUCERS = 4;
    private static final long NONE = -1;

    @TempDir
    Path root;

    private enum Kind {
        PLAIN, DATA, COMMIT, ABORT
    }

    private record Entry(Kind kind, long producer, long base, long last, int coordinatorEpoch) {
        boolean isEnd() {
            return kind == Kind.COMMIT || kind == Kind.ABORT;
        }
    }

    static LongStream seeds() {
        return Seeds.of(16);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void readersOfCommittedRecordsGetJustThose(long seed) throws IOException {
        new Run(seed, new LogFixture(root)).go();
    }

    private static final class Run {
        private final Random random;
        private final LogFixture fixture;
        private final List<Entry> entries = new ArrayList<>();
        private final Map<Long, Integer> sequences = new HashMap<>();
        private long start;
        private long end;
        private long highWatermark;
        /// Transactions that ended below and were not replicated then may be taken for replicated: of ended ones a snapshot
        /// says nothing.
        private long reopenedAt;

        Run(long seed, LogFixture fixture) {
            this.random = new Random(seed);
            this.fixture = fixture;
        }

        void go() throws IOException {
            fixture.open();
            for (int step = 0; step < STEPS; step++) {
                step();
                agree();
            }
            fixture.log.close();
            assertThat(fixture.failures).isEmpty();
        }

        private void step() throws IOException {
            int choice = random.nextInt(100);
            long producer = random.nextInt(PRODUCERS);
            if (choice < 40) {
                data(producer);
            } else if (choice < 60) {
                end(producer);
            } else if (choice < 65) {
                plain();
            } else if (choice < 83) {
                highWatermark = highWatermark + random.nextLong(end - highWatermark + 1);
                fixture.log.updateHighWatermark(highWatermark);
            } else if (choice < 86) {
                fixture.log.roll();
            } else if (choice < 89) {
                truncate();
            } else if (choice < 91) {
                start = start + random.nextLong(highWatermark - start + 1);
                fixture.log.deleteRecordsBefore(start);
            } else if (choice < 94) {
                fixture.log.flush();
                fixture.loop.advance(Duration.ofSeconds(2));
            } else if (choice < 97) {
                fixture.restart();
                reopenedAt = end;
            } else {
                fixture.crash();
                reopenedAt = end;
            }
        }

        private void data(long producer) throws IOException {
            int count = 1 + random.nextInt(3);
            int sequence = sequences.getOrDefault(producer, 0);
            sequences.put(producer, sequence + count);
            var batch = TestBatch.batch().records(count).valueOf(random.nextInt(100)).producer(producer, 0, sequence)
                    .inTransaction();
            fixture.log.append(batch.bytes(), 0, AppendOrigin.CLIENT);
            add(Kind.DATA, producer, count, NONE);
        }

        private void end(long producer) throws IOException {
            boolean committed = random.nextBoolean();
            int coordinatorEpoch = highestCoordinatorEpoch(producer) + random.nextInt(2);
            fixture.log.append(TestBatch.marker(producer, 0, committed, coordinatorEpoch), 0, AppendOrigin.COORDINATOR);
            add(committed ? Kind.COMMIT : Kind.ABORT, producer, 1, coordinatorEpoch);
        }

        private void plain() throws IOException {
            fixture.log.append(TestBatch.batch().bytes(), 0, AppendOrigin.CLIENT);
            add(Kind.PLAIN, NONE, 1, NONE);
        }

        private void add(Kind kind, long producer, int count, long coordinatorEpoch) {
            entries.add(new Entry(kind, producer, end, end + count - 1, (int) coordinatorEpoch));
            end += count;
        }

        private void truncate() throws IOException {
            if (end > highWatermark) {
                long offset = highWatermark + random.nextLong(end - highWatermark);
                fixture.log.truncateTo(offset);
                entries.removeIf(entry -> entry.last >= offset);
                end = fixture.log.logEndOffset();
                assertThat(end).isEqualTo(entries.isEmpty() ? end : entries.getLast().last + 1);
                highWatermark = Math.min(highWatermark, end);
                start = Math.min(start, end);
                reopenedAt = end;
                resumeSequences();
            }
        }

        private void resumeSequences() {
            sequences.clear();
            for (var entry : entries) {
                if (entry.kind == Kind.DATA) {
                    sequences.merge(entry.producer, (int) (entry.last - entry.base + 1), Integer::sum);
                }
            }
        }

        private int highestCoordinatorEpoch(long producer) {
            return entries.stream().filter(entry -> entry.isEnd() && entry.producer == producer).mapToInt(
                    Entry::coordinatorEpoch).max().orElse(0);
        }

        private void agree() throws IOException {
            assertThat(fixture.log.logEndOffset()).isEqualTo(end);
            assertThat(fixture.log.highWatermark()).isEqualTo(highWatermark);
            long stable = fixture.log.lastStableOffset();
            assertThat(stable).isBetween(stable(highWatermark), stable(Math.max(reopenedAt, highWatermark)));
            for (var producer : fixture.log.activeProducers()) {
                assertThat(producer.currentTransactionStartOffset()).isEqualTo(open(producer.producerId()));
                var last = entries.stream().filter(entry -> entry.isEnd() && entry.producer == producer.producerId())
                        .reduce((_, later) -> later);
                assertThat(producer.coordinatorEpoch()).isEqualTo(last.map(Entry::coordinatorEpoch).orElse(-1));
            }
            long from = start + random.nextLong(Math.max(1, end - start));
            assertThat(consumed(from, stable)).isEqualTo(committed(from, stable));
        }

        /// @param replicated markers below it are
        private long stable(long replicated) {
            long stable = highWatermark;
            for (long producer = 0; producer < PRODUCERS; producer++) {
                long begun = NONE;
                for (var entry : entries) {
                    if (entry.producer != producer) {
                        continue;
                    }
                    if (entry.kind == Kind.DATA && begun == NONE) {
                        begun = entry.base;
                    } else if (entry.isEnd()) {
                        stable = begun == NONE || entry.base < replicated ? stable : Math.min(stable, begun);
                        begun = NONE;
                    }
                }
                stable = begun == NONE ? stable : Math.min(stable, begun);
            }
            return Math.max(start, stable);
        }

        private long open(long producer) {
            long begun = NONE;
            for (var entry : entries) {
                if (entry.producer == producer) {
                    begun = entry.isEnd() ? NONE : begun == NONE ? entry.base : begun;
                }
            }
            return begun;
        }

        private List<Long> committed(long from, long stable) {
            return entries.stream().filter(entry -> entry.last >= from && entry.last < stable).filter(
                    entry -> entry.kind == Kind.PLAIN || (entry.kind == Kind.DATA && ends(entry) == Kind.COMMIT)).map(
                            Entry::base).toList();
        }

        private @Nullable Kind ends(Entry data) {
            return entries.stream().filter(entry -> entry.base > data.base && entry.isEnd()
                    && entry.producer == data.producer).findFirst().map(Entry::kind).orElse(null);
        }

        /// As Kafka's consumer does it.
        private List<Long> consumed(long from, long stable) throws IOException {
            var found = new ArrayList<Long>();
            long next = from;
            while (next < stable) {
                var read = fixture.log.readCommitted(next, 1 + random.nextInt(800), true);
                var slice = read.slice();
                if (slice == null) {
                    return found;
                }
                var bytes = ByteBuffer.allocate(slice.size());
                try (slice) {
                    slice.channel().read(bytes, slice.position());
                }
                var batches = Batches.in(bytes.flip());
                found.addAll(visible(batches, read.aborted()));
                next = batches.getLast().lastOffset() + 1;
            }
            return found;
        }

        private static List<Long> visible(List<Batch> batches, List<AbortedTransaction> aborted) {
            var ahead = new PriorityQueue<>(Comparator.comparingLong(AbortedTransaction::firstOffset));
            ahead.addAll(aborted);
            var skipped = new HashSet<Long>();
            var found = new ArrayList<Long>();
            for (var batch : batches) {
                for (var next = ahead.peek(); next != null && next.firstOffset() <= batch.lastOffset(); next = ahead
                        .peek()) {
                    skipped.add(ahead.remove().producerId());
                }
                if (batch.isControl()) {
                    var end = ControlBatch.transactionEnd(batch);
                    if (end != null && !end.committed()) {
                        skipped.remove(batch.producerId());
                    }
                } else if (!batch.isTransactional() || !skipped.contains(batch.producerId())) {
                    found.add(batch.baseOffset());
                }
            }
            return found;
        }
    }
}
