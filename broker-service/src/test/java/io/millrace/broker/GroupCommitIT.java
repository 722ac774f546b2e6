package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A broker that acknowledges what is on its disk.
class GroupCommitIT {
    private static final int PARTITIONS = 4;

    @TempDir
    Path directory;
    private TestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.in(directory, Map.of("log.flush.mode", "group-commit", "log.segment.bytes", "100000"));
        broker.create("t", PARTITIONS, Map.of());
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "all"})
    void batchesAreAcknowledgedAfterCommitsThatTheyShare(String acks) throws Exception {
        var config = new HashMap<String, Object>(Map.of("bootstrap.servers", broker.bootstrap(), "acks", acks,
                "batch.size", "2000", "linger.ms", "1", "enable.idempotence", "false"));
        var sent = new ArrayList<Future<RecordMetadata>>();
        try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < 4000; i++) {
                sent.add(producer.send(new ProducerRecord<>("t", i % PARTITIONS, null, new byte[200])));
            }
            for (var one : sent) {
                one.get(60, TimeUnit.SECONDS);
            }
        }

        var commits = broker.meters().get("millrace.log.commit").timer();
        assertThat(commits.count()).isBetween(1L, 2000L);
        assertThat(read()).isEqualTo(4000);
    }

    private int read() {
        var config = new HashMap<String, Object>(Map.of("bootstrap.servers", broker.bootstrap(), "auto.offset.reset",
                "earliest"));
        try (var consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            var partitions = new ArrayList<TopicPartition>();
            for (int i = 0; i < PARTITIONS; i++) {
                partitions.add(new TopicPartition("t", i));
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            int count = 0;
            for (int polls = 0; polls < 300 && count < 4000; polls++) {
                count += consumer.poll(Duration.ofMillis(200)).count();
            }
            return count;
        }
    }
}
