package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.cluster.UsesClusters;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever comes in: the right answer, or that one connection closed, and nothing else disturbed.
@UsesClusters
class BadInputIT {

    private static final byte[] NOTHING = {};

    private final String broker;
    private final String coordinator;
    private final Kafka kafka;

    BadInputIT(Clusters clusters) {
        var status = clusters.of(Mode.CLUSTER).status();
        this.broker = Objects.requireNonNull(status.service("broker", 0).kafka());
        this.coordinator = Objects.requireNonNull(status.service("coordinator", 1000).kafka());
        this.kafka = new Kafka(status.bootstrap());
    }

    static Stream<Arguments> framesThatEndAConnection() {
        return Stream.of(Arguments.of("a frame larger than socket.request.max.bytes", size(Integer.MAX_VALUE)),
                Arguments.of("a negative size", size(-1)), Arguments.of("a size of nothing", size(0)),
                Arguments.of("HTTP", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII)),
                Arguments.of("an API that does not exist", Wire.request(9999, 0, 1, NOTHING)),
                Arguments.of("a version that does not exist", Wire.request(ApiKeys.METADATA.id, 99, 1, NOTHING)),
                Arguments.of("a request that ends too early",
                        Wire.request(ApiKeys.METADATA.id, 1, 1, new byte[]{0, 0, 0, 5, 0})),
                Arguments.of("an array longer than its frame",
                        Wire.request(ApiKeys.METADATA.id, 1, 1, ByteBuffer.allocate(4).putInt(1_000_000_000).array())));
    }

    private static byte[] size(int size) {
        return ByteBuffer.allocate(4).putInt(size).array();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("framesThatEndAConnection")
    void endsThatConnectionAndNoOther(String what, byte[] bytes) throws IOException {
        for (String node : List.of(broker, coordinator)) {
            try (var good = new Wire(node); var bad = new Wire(node)) {
                good.send(metadata(1));
                assertThat(good.answer().getInt()).isEqualTo(1);

                bad.send(bytes);

                assertThat(bad.isClosedByThem()).as("%s at %s", what, node).isTrue();
                good.send(metadata(2));
                assertThat(good.answer().getInt()).isEqualTo(2);
            }
        }
    }

    /// Version 1, no topics asked for.
    private static byte[] metadata(int correlationId) {
        return Wire.request(ApiKeys.METADATA.id, 1, correlationId, ByteBuffer.allocate(4).putInt(0).array());
    }

    @Test
    void anUnknownVersionOfApiVersionsIsToldWhichThereAre() throws IOException {
        for (String node : List.of(broker, coordinator)) {
            try (var wire = new Wire(node)) {
                // Newer versions have tagged fields in the header: none here.
                wire.send(Wire.request(ApiKeys.API_VERSIONS.id, 99, 7, new byte[]{0}));

                ByteBuffer answer = wire.answer();
                assertThat(answer.getInt()).isEqualTo(7);
                assertThat(answer.getShort()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
                assertThat(answer.getInt()).as("APIs named").isPositive();
            }
        }
    }

    @Test
    void answersComeInTheOrderOfTheRequests() throws IOException {
        try (var wire = new Wire(broker)) {
            for (int i = 0; i < 100; i++) {
                wire.send(metadata(i));
            }
            for (int i = 0; i < 100; i++) {
                assertThat(wire.answer().getInt()).isEqualTo(i);
            }
        }
    }

    @Test
    void topicsThatCannotBeAreRefusedByTheirCode() {
        try (Admin admin = kafka.admin()) {
            assertThat(failure(create(admin, new NewTopic("not allowed!", 1, (short) 1)))).isInstanceOf(
                    InvalidTopicException.class);
            assertThat(failure(create(admin, new NewTopic("..", 1, (short) 1)))).isInstanceOf(
                    InvalidTopicException.class);
            assertThat(failure(create(admin, new NewTopic("x".repeat(250), 1, (short) 1))))
                    .isInstanceOf(InvalidTopicException.class);
            assertThat(failure(create(admin, new NewTopic("bad-partitions", 0, (short) 1))))
                    .isInstanceOf(InvalidPartitionsException.class);
            assertThat(failure(create(admin, new NewTopic("bad-replication", 1, (short) 9))))
                    .isInstanceOf(InvalidReplicationFactorException.class);
            assertThat(failure(create(admin, new NewTopic("bad-key", 1, (short) 1).configs(Map.of("no.such.key",
                    "1")))))
                    .isInstanceOf(InvalidConfigurationException.class);
            assertThat(failure(create(admin, new NewTopic("bad-value", 1, (short) 1).configs(Map.of("retention.ms",
                    "soon")))))
                    .isInstanceOf(InvalidConfigurationException.class);
            kafka.create("bad-input-twice", 1);
            assertThat(failure(create(admin, new NewTopic("bad-input-twice", 1, (short) 1))))
                    .isInstanceOf(TopicExistsException.class);
            assertThat(Kafka.await(admin.listTopics().names())).doesNotContain("bad-partitions", "bad-replication",
                    "bad-key",
                    "bad-value");
        }
    }

    private static KafkaFuture<Void> create(Admin admin, NewTopic topic) {
        return admin.createTopics(List.of(topic)).all();
    }

    @Test
    void changesThatCannotBeAreRefusedByTheirCode() {
        kafka.create("bad-input-changes", 2);
        var topic = new ConfigResource(ConfigResource.Type.TOPIC, "bad-input-changes");
        try (Admin admin = kafka.admin()) {
            assertThat(failure(set(admin, topic, "no.such.key", "1"))).isInstanceOf(
                    InvalidConfigurationException.class);
            assertThat(failure(set(admin, topic, "segment.bytes", "-5"))).isInstanceOf(
                    InvalidConfigurationException.class);
            assertThat(failure(admin.createPartitions(Map.of("bad-input-changes", NewPartitions.increaseTo(1))).all()))
                    .isInstanceOf(InvalidPartitionsException.class);
            assertThat(failure(admin.deleteTopics(List.of("bad-input-nowhere")).all()))
                    .isInstanceOf(UnknownTopicOrPartitionException.class);
        }
    }

    private static KafkaFuture<Void> set(Admin admin, ConfigResource topic, String key, String value) {
        return admin.incrementalAlterConfigs(Map.of(topic,
                List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET)))).all();
    }

    @Test
    void aRecordThatIsTooLargeIsRefusedAndTheOthersAreKept() {
        kafka.create("bad-input-large", 1);
        String large = "x".repeat(2_000_000);

        Throwable failure = catchThrowable(() -> kafka.produce("bad-input-large",
                Map.of("max.request.size", 10_000_000, "compression.type", "none"), List.of(Message.of("k", large))));
        kafka.produce("bad-input-large", Map.of(), List.of(Message.of("k", "small")));

        assertThat(failure).hasCauseInstanceOf(RecordTooLargeException.class);
        assertThat(kafka.readAll("bad-input-large")).containsExactly(Message.of("k", "small"));
    }

    private static Throwable failure(KafkaFuture<?> future) {
        Throwable failure = catchThrowable(() -> future.get(Kafka.LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertThat(failure).isInstanceOf(ExecutionException.class);
        return Objects.requireNonNull(failure.getCause());
    }
}
