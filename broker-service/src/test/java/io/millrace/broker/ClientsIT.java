package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The Java client against a broker.
class ClientsIT {
    @TempDir
    Path directory;
    private TestBroker broker;

    /// Buffers, since arrays do not compare by what is in them.
    private record Sent(int partition, @Nullable ByteBuffer key, @Nullable ByteBuffer value,
            @Nullable ByteBuffer header) {
        static Sent of(int partition, byte @Nullable [] key, byte @Nullable [] value, byte @Nullable [] header) {
            return new Sent(partition, wrap(key), wrap(value), wrap(header));
        }

        private static @Nullable ByteBuffer wrap(byte @Nullable [] bytes) {
            return bytes == null ? null : ByteBuffer.wrap(bytes);
        }
    }

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.in(directory, Map.of("log.segment.bytes", "1048576"));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void recordsComeBackAsTheyWereSentWhateverTheCodec(String codec) throws Exception {
        broker.create("t", 3, Map.of());
        var sent = records(2000);

        send(sent, Map.of("compression.type", codec));

        assertThat(byPartition(read("t", 3, sent.size()))).isEqualTo(byPartition(sent));
    }

    @Test
    void recordsOfAPartitionKeepTheirOrderAndOffsetsHaveNoGaps() throws Exception {
        broker.create("t");
        try (var producer = producer(Map.of("batch.size", "1000", "linger.ms", "1"))) {
            for (int i = 0; i < 5000; i++) {
                producer.send(new ProducerRecord<>("t", 0, null, ByteBuffer.allocate(4).putInt(i).array()));
            }
        }

        try (var consumer = consumer(Map.of())) {
            var partition = new TopicPartition("t", 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            int next = 0;
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (next < 5000 && System.nanoTime() < deadline) {
                for (var record : consumer.poll(Duration.ofMillis(200))) {
                    assertThat(record.offset()).isEqualTo(next);
                    assertThat(ByteBuffer.wrap(record.value()).getInt()).isEqualTo(next);
                    next++;
                }
            }
            assertThat(next).isEqualTo(5000);
        }
    }

    @Test
    void recordsSurviveARestartAndSegmentsRoll() throws Exception {
        broker.create("t", 3, Map.of());
        var sent = IntStream.range(0, 300).mapToObj(i -> Sent.of(i % 3, null, new byte[20_000], null)).toList();
        send(sent, Map.of());

        broker.restart();
        send(sent, Map.of());

        assertThat(read("t", 3, 600)).hasSize(600);
        assertThat(broker.meters().scrape()).containsPattern(
                "kafka_log_log_numlogsegments\\{partition=\"0\",topic=\"t\"} ([3-9]|\\d\\d+)\\.0");
    }

    @Test
    void bigBatchesGoThrough() throws Exception {
        broker.create("t", 1, Map.of("max.message.bytes", "20000000", "segment.bytes",
                "50000000"));
        var value = new byte[8 << 20];
        new Random(1).nextBytes(value);

        send(List.of(Sent.of(0, null, value, null)), Map.of("max.request.size", "16777216", "buffer.memory",
                "33554432"));

        assertThat(read("t", 1, 1).getFirst().value()).isEqualTo(ByteBuffer.wrap(value));
    }

    @Test
    void consumerFindsRecordsByTimeAndTheEndsOfALog() throws Exception {
        broker.create("t");
        try (var producer = producer(Map.of())) {
            for (long time = 1000; time <= 5000; time += 1000) {
                producer.send(new ProducerRecord<>("t", 0, time, null, new byte[1]));
            }
        }

        try (var consumer = consumer(Map.of())) {
            var partition = new TopicPartition("t", 0);
            assertThat(consumer.beginningOffsets(List.of(partition))).containsEntry(partition, 0L);
            assertThat(consumer.endOffsets(List.of(partition))).containsEntry(partition, 5L);
            assertThat(consumer.offsetsForTimes(Map.of(partition, 2500L)).get(partition)).extracting(
                    OffsetAndTimestamp::offset).isEqualTo(2L);
        }
    }

    @Test
    void recordThatIsTooLargeFailsAloneWithAClearError() throws Exception {
        broker.create("t", 1, Map.of("max.message.bytes", "1000"));

        try (var producer = producer(Map.of("linger.ms", "0"))) {
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>("t", new byte[5000])).get())
                    .hasMessageContaining("RecordTooLarge");
            assertThat(producer.send(new ProducerRecord<>("t", new byte[10])).get().offset()).isZero();
        }
    }

    @Test
    void producerGoesOnAfterTheBrokerCameBack() throws Exception {
        broker.create("t");
        try (var producer = producer(Map.of())) {
            producer.send(new ProducerRecord<>("t", new byte[1])).get();
        }
        broker.restart();
        try (var producer = producer(Map.of())) {
            assertThat(producer.send(new ProducerRecord<>("t", new byte[1])).get().offset()).isEqualTo(1);
        }
    }

    private static Map<Integer, List<Sent>> byPartition(List<Sent> records) {
        return records.stream().collect(Collectors.groupingBy(Sent::partition));
    }

    private static List<Sent> records(int count) {
        var random = new Random(42);
        return IntStream.range(0, count).mapToObj(i -> {
            var value = switch (i % 10) {
                case 0 -> null;
                case 1 -> new byte[0];
                default -> bytes(random, random.nextInt(200));
            };
            return Sent.of(i % 3, i % 2 == 0 ? bytes(random, 8) : null, value, i % 7 == 0 ? bytes(random, 5) : null);
        }).toList();
    }

    private static byte[] bytes(Random random, int size) {
        var bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    private void send(List<Sent> records, Map<String, String> settings) {
        try (var producer = producer(settings)) {
            for (var sent : records) {
                var record = new ProducerRecord<>("t", sent.partition(), Utils.toNullableArray(sent.key()), Utils
                        .toNullableArray(sent.value()));
                if (sent.header() != null) {
                    record.headers().add("h", Utils.toArray(sent.header()));
                }
                producer.send(record);
            }
        }
    }

    private List<Sent> read(String topic, int partitions, int count) {
        var found = new ArrayList<Sent>();
        try (var consumer = consumer(Map.of())) {
            var assigned = IntStream.range(0, partitions).mapToObj(i -> new TopicPartition(topic, i)).toList();
            consumer.assign(assigned);
            consumer.seekToBeginning(assigned);
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (found.size() < count && System.nanoTime() < deadline) {
                for (var record : consumer.poll(Duration.ofMillis(200))) {
                    var header = Stream.of(record.headers().toArray()).map(RecordHeader.class::cast).map(
                            RecordHeader::value).findFirst().orElse(null);
                    found.add(Sent.of(record.partition(), record.key(), record.value(), header));
                }
            }
        }
        return found;
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, String> settings) {
        return new KafkaProducer<>(with(settings), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private KafkaConsumer<byte[], byte[]> consumer(Map<String, String> settings) {
        return new KafkaConsumer<>(with(settings), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private Map<String, Object> with(Map<String, String> settings) {
        var all = new HashMap<String, Object>(settings);
        all.put("bootstrap.servers", broker.bootstrap());
        all.put("enable.metrics.push", "false");
        return all;
    }
}
