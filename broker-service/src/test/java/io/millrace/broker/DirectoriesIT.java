package io.millrace.broker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeReplicaLogDirsResult.ReplicaLogDirInfo;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.LogDirNotFoundException;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A broker with two log directories.
class DirectoriesIT {
    private static final TopicPartitionReplica REPLICA = new TopicPartitionReplica("t", 0, TestBroker.ID);
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private static final String RATE = "replica.alter.log.dirs.io.max.bytes.per.second";

    @TempDir
    Path root;
    private TestBroker broker;

    @BeforeEach
    void start() throws Exception {
        start("background");
    }

    private void start(String flushMode) throws Exception {
        broker = TestBroker.in(root, Map.of("log.dirs", path("a") + "," + path("b"), "log.segment.bytes", "100000",
                "log.flush.mode", flushMode));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private String path(String name) {
        return root.resolve(name).toString();
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"background", "group-commit"})
    void logIsMovedBackAndForthUnderLoadAndNobodyNotices(String flushMode) throws Exception {
        broker.close();
        start(flushMode);
        broker.create("t");
        var moved = new AtomicBoolean();
        var sent = new ArrayList<Future<RecordMetadata>>();
        var errors = new AtomicInteger();
        try (var admin = admin(); var producer = producer()) {
            var load = Thread.ofPlatform().start(() -> {
                for (int i = 0; !moved.get(); i++) {
                    sent.add(producer.send(new ProducerRecord<>("t", 0, i, new byte[200]), (_, failure) -> errors
                            .addAndGet(
                                    failure == null ? 0 : 1)));
                    if (i % 100 == 0) {
                        producer.flush();
                    }
                }
            });
            var home = placeOf(admin).getCurrentReplicaLogDir();
            for (int i = 0; i < 4; i++) {
                var to = home.equals(path("a")) == (i % 2 == 0) ? path("b") : path("a");
                admin.alterReplicaLogDirs(Map.of(REPLICA, to)).all().get(30, SECONDS);
                await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                    assertThat(placeOf(admin).getCurrentReplicaLogDir()).isEqualTo(to);
                    assertThat(placeOf(admin).getFutureReplicaLogDir()).isNull();
                });
            }
            moved.set(true);
            load.join();
            producer.flush();
        }
        assertThat(errors).hasValue(0);
        for (int i = 0; i < sent.size(); i++) {
            assertThat(sent.get(i).get().offset()).isEqualTo(i);
        }

        assertThat(read()).hasSize(sent.size()).isSorted();
        broker.restart();
        assertThat(read()).hasSize(sent.size());
    }

    @Test
    void moveIsShownWhileItIsHeldBackAndEndsOnceItIsNot() throws Exception {
        broker.create("t");
        broker.setForAll(Map.of(RATE, "1000"));
        try (var admin = admin(); var producer = producer()) {
            for (int i = 0; i < 100; i++) {
                producer.send(new ProducerRecord<>("t", 0, i, new byte[200]));
                producer.flush();
            }
            var there = placeOf(admin).getCurrentReplicaLogDir();
            var to = there.equals(path("a")) ? path("b") : path("a");
            admin.alterReplicaLogDirs(Map.of(REPLICA, to)).all().get(30, SECONDS);

            assertThat(placeOf(admin)).satisfies(place -> {
                assertThat(place.getCurrentReplicaLogDir()).isEqualTo(there);
                assertThat(place.getFutureReplicaLogDir()).isEqualTo(to);
                assertThat(place.getFutureReplicaOffsetLag()).isPositive();
            });
            broker.restart();
            assertThat(read()).hasSize(100);
        }
        broker.setForAll(Map.of(RATE, Integer.toString(1 << 30)));
        try (var admin = admin()) {
            await().atMost(Duration.ofSeconds(30)).until(() -> placeOf(admin).getFutureReplicaLogDir() == null);
            assertThat(read()).hasSize(100);

            assertThatThrownBy(() -> admin.alterReplicaLogDirs(Map.of(REPLICA, path("c"))).all().get())
                    .hasCauseInstanceOf(
                            LogDirNotFoundException.class);
            var later = new TopicPartitionReplica("later", 0, TestBroker.ID);
            assertThatThrownBy(() -> admin.alterReplicaLogDirs(Map.of(later, path("b"))).all().get())
                    .hasCauseInstanceOf(
                            ReplicaNotAvailableException.class);
        }
    }

    @Test
    void brokerServesWhatItHasWhereADirectoryCannotBeOpened() throws Exception {
        broker.create("t", 2, Map.of());
        broker.stop();
        var lost = Files.exists(root.resolve("a/t-0")) ? "a" : "b";
        Files.move(root.resolve(lost), root.resolve("aside"));
        Files.writeString(root.resolve(lost), "not a directory");

        broker.start();

        try (var admin = admin(); var producer = producer()) {
            producer.send(new ProducerRecord<>("t", 1, 1, new byte[200])).get(30, SECONDS);
            var refused = producer.send(new ProducerRecord<>("t", 0, 1, new byte[200]));
            assertThatThrownBy(() -> refused.get(60, SECONDS)).isNotNull();
            var described = Objects.requireNonNull(admin.describeLogDirs(List.of(TestBroker.ID)).allDescriptions().get(
                    30,
                    SECONDS).get(TestBroker.ID));
            assertThat(described).containsOnlyKeys(path("a"), path("b"));
            assertThat(described).hasEntrySatisfying(path(lost), directory -> assertThat(directory.error())
                    .isInstanceOf(
                            KafkaStorageException.class));
        }
        assertThat(broker.meters().get("kafka.log.logmanager.offlinelogdirectorycount").gauge().value()).isEqualTo(1);
        assertThat(broker.meters().get("kafka.server.replicamanager.offlinereplicacount").gauge().value()).isEqualTo(1);
        broker.stop();
        restore(lost);
        broker.start();
        try (var producer = producer()) {
            assertThat(producer.send(new ProducerRecord<>("t", 0, 1, new byte[200])).get(30, SECONDS).offset())
                    .isZero();
        }
    }

    private void restore(String lost) throws IOException {
        Files.delete(root.resolve(lost));
        Files.move(root.resolve("aside"), root.resolve(lost));
    }

    private static ReplicaLogDirInfo placeOf(Admin admin)
            throws Exception {
        return Objects.requireNonNull(admin.describeReplicaLogDirs(List.of(REPLICA)).all().get(30, SECONDS).get(
                REPLICA));
    }

    private KafkaProducer<Integer, byte[]> producer() {
        return new KafkaProducer<>(Map.of("bootstrap.servers", broker.bootstrap(), "acks", "all", "linger.ms", "1",
                "delivery.timeout.ms", "2000", "request.timeout.ms", "1500", "enable.idempotence", "false"),
                new IntegerSerializer(), new ByteArraySerializer());
    }

    private List<Integer> read() {
        var config = new HashMap<String, Object>(Map.of("bootstrap.servers", broker.bootstrap()));
        try (var consumer = new KafkaConsumer<>(config, new IntegerDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            long end = consumer.endOffsets(List.of(PARTITION)).getOrDefault(PARTITION, -1L);
            var keys = new ArrayList<Integer>();
            while (consumer.position(PARTITION) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> keys.add(record.key()));
            }
            return keys;
        }
    }
}
