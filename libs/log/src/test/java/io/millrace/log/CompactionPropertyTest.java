package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.log.CompactedLog.Seen;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.compaction.CleanerSettings;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Random operations on a compacted log and on the list of all that was ever appended. What the log gives is part of that
/// list; what is missing was superseded, deleted, or of an aborted transaction; and producers are remembered.
class CompactionPropertyTest {
    private static final int STEPS = 150;
    private static final int KEYS = 6;
    private static final long[] PRODUCERS = {100, 101, 102};
    private static final List<Compression> CODECS = List.of(Compression.NONE, Compression.gzip().build(), Compression
            .snappy().build(), Compression.lz4().build(), Compression.zstd().build());

    @TempDir
    Path root;

    static LongStream seeds() {
        return Seeds.of(12);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void aCompactedLogIsWhatItsHistoryLeaves(long seed) throws IOException {
        new Run(seed, root).go();
    }

    /// A batch that was appended.
    ///
    /// @param bytes as sent; null for a marker
    /// @param producer -1 where it has none
    private record Appended(long base, List<Seen> records, @Nullable ByteBuffer bytes, long producer,
            boolean transactional, @Nullable ControlRecordType marker) {
        long last() {
            return base + Math.max(0, records.size() - 1);
        }
    }

    private static final class Run {
        private final Random random;
        private final CompactedLog it;
        private final List<Appended> history = new ArrayList<>();
        private final Map<Long, Integer> nextSequence = new HashMap<>();
        private long start;
        private long end;
        private int values;

        Run(long seed, Path root) throws IOException {
            random = new Random(seed);
            it = new CompactedLog(root);
            it.fixture.set("cleanup.policy", random.nextBoolean() ? "compact" : "compact,delete").set("retention.bytes",
                    2500).set("retention.ms", -1);
            it.settings = new CleanerSettings(24 * (long) (10 + random.nextInt(200)), 0.9, 1 + random.nextInt(
                    4000), Double.MAX_VALUE, 1, it.settings.backoff());
            it.open();
        }

        void go() throws IOException {
            for (int step = 0; step < STEPS; step++) {
                step();
                it.log().updateHighWatermark(it.log().logEndOffset());
                agree();
            }
            it.log().close();
            assertThat(it.fixture.failures).isEmpty();
        }

        private void step() throws IOException {
            int choice = random.nextInt(100);
            if (choice < 55) {
                append();
            } else if (choice < 60) {
                endTransaction();
            } else if (choice < 64) {
                it.log().roll();
            } else if (choice < 74) {
                clean();
            } else if (choice < 78) {
                it.pass(random.nextLong(2 * CompactedLog.DELETE_RETENTION_MS));
            } else if (choice < 82) {
                truncate();
            } else if (choice < 85) {
                start = Math.max(start, random.nextLong(end + 1));
                it.log().deleteRecordsBefore(start);
            } else if (choice < 88) {
                it.log().deleteOldSegments();
                start = it.log().logStartOffset();
            } else if (choice < 91) {
                it.log().flush();
            } else if (choice < 97) {
                restart(random.nextBoolean());
            } else {
                repeat();
            }
        }

        private void append() throws IOException {
            it.codec = CODECS.get(random.nextInt(CODECS.size()));
            var texts = new String[1 + random.nextInt(3)];
            var records = new ArrayList<Seen>();
            for (int i = 0; i < texts.length; i++) {
                var key = "k" + random.nextInt(KEYS);
                var value = random.nextInt(4) == 0 ? "" : "v" + values++ + "x".repeat(random.nextInt(60));
                texts[i] = key + "=" + value;
                records.add(new Seen(end + i, key, value.isEmpty() ? null : value));
            }
            long producer = random.nextBoolean() ? -1 : PRODUCERS[random.nextInt(PRODUCERS.length)];
            boolean transactional = producer >= 0 && (isOpen(producer) || random.nextInt(3) == 0);
            var bytes = it.batch(producer, 0, producer < 0 ? -1 : nextSequence.getOrDefault(producer, 0), transactional,
                    texts);
            var result = it.log().append(TestBatch.direct(bytes), 0, AppendOrigin.CLIENT);
            assertThat(result.baseOffset()).isEqualTo(end);
            assertThat(result.duplicate()).isFalse();
            history.add(new Appended(end, records, bytes, producer, transactional, null));
            end += texts.length;
            nextSequence.merge(producer, texts.length, Integer::sum);
        }

        private boolean isOpen(long producer) {
            return history.reversed().stream().filter(each -> each.producer == producer).findFirst().filter(
                    each -> each.transactional && each.marker == null).isPresent();
        }

        private void endTransaction() throws IOException {
            for (long producer : PRODUCERS) {
                if (isOpen(producer)) {
                    var type = random.nextBoolean() ? ControlRecordType.ABORT : ControlRecordType.COMMIT;
                    assertThat(it.end(producer, type)).isEqualTo(end);
                    history.add(new Appended(end, List.of(), null, producer, true, type));
                    end++;
                    return;
                }
            }
        }

        private void clean() throws IOException {
            if (random.nextBoolean()) {
                it.log().roll();
            }
            it.cleaner().run();
            long cleanedTo = Math.min(it.log().compactionProgress().cleanedTo(), end);
            var keys = new HashSet<String>();
            for (var seen : it.records().reversed()) {
                if (seen.offset() >= start && seen.offset() < cleanedTo) {
                    assertThat(keys.add(seen.key())).as("%s is there twice below %d", seen, cleanedTo).isTrue();
                }
            }
        }

        /// Not below what was cleaned: what superseded a record is replicated before it is cleaned away, and so never cut.
        private void truncate() throws IOException {
            long lowest = Math.max(start, it.log().compactionProgress().cleanedTo());
            if (end > lowest) {
                long offset = end - random.nextLong(Math.min(end - lowest, 10));
                it.log().truncateTo(offset);
                history.removeIf(batch -> batch.last() >= offset);
                end = it.log().logEndOffset();
                start = Math.min(start, end);
                assertThat(end).isBetween(history.isEmpty() ? 0 : history.getLast().last() + 1, offset);
                // Who appends goes on with what the log knows, as a client would after the answer to its next batch.
                nextSequence.clear();
                for (var batch : history) {
                    nextSequence.merge(batch.producer, batch.records.size(), Integer::sum);
                }
            }
        }

        private void restart(boolean crash) throws IOException {
            if (crash) {
                it.fixture.crash();
            } else {
                it.fixture.restart();
            }
        }

        /// The last data batch of a producer comes again.
        private void repeat() throws IOException {
            for (var batch : history.reversed()) {
                var bytes = batch.bytes;
                if (bytes != null && batch.producer >= 0) {
                    var again = it.log().append(TestBatch.direct(bytes.duplicate()), 0, AppendOrigin.CLIENT);
                    if (batch.base >= it.log().logStartOffset()) {
                        assertThat(again.duplicate()).as("batch %d of producer %d", batch.base, batch.producer)
                                .isTrue();
                        assertThat(again.baseOffset()).isEqualTo(batch.base);
                    } else if (!again.duplicate()) {
                        it.log().truncateTo(end);
                    }
                    return;
                }
            }
        }

        private void agree() throws IOException {
            assertThat(it.log().logEndOffset()).isEqualTo(end);
            assertThat(it.log().logStartOffset()).isEqualTo(start);
            var batches = it.batches();
            assertThat(batches).allMatch(batch -> batch.hasValidCrc());
            var last = batches.isEmpty() ? start : batches.getLast().lastOffset() + 1;
            assertThat(last).as("a reader reaches the end").isEqualTo(end);
            var seen = it.records();
            var all = new HashMap<Long, Seen>();
            history.forEach(batch -> batch.records.forEach(each -> all.put(each.offset(), each)));
            assertThat(seen).extracting(Seen::offset).isSorted().doesNotHaveDuplicates();
            assertThat(seen).allMatch(each -> each.equals(all.get(each.offset())));
            var there = new HashSet<>(seen);
            lastOfEachKey().values().forEach(each -> {
                if (each.offset() >= start && each.value() != null) {
                    assertThat(there).contains(each);
                }
            });
        }

        /// Of committed records, and of those that are in the log without a transaction.
        private Map<String, Seen> lastOfEachKey() {
            var open = new HashMap<Long, List<Appended>>();
            var aborted = new HashSet<Appended>();
            for (var batch : history) {
                if (batch.marker == ControlRecordType.ABORT) {
                    aborted.addAll(open.getOrDefault(batch.producer, List.of()));
                }
                if (batch.marker != null) {
                    open.remove(batch.producer);
                } else if (batch.transactional) {
                    open.computeIfAbsent(batch.producer, _ -> new ArrayList<>()).add(batch);
                }
            }
            var table = new HashMap<String, Seen>();
            for (var batch : history) {
                if (!aborted.contains(batch)) {
                    batch.records.forEach(each -> table.put(each.key(), each));
                }
            }
            return table;
        }
    }
}
