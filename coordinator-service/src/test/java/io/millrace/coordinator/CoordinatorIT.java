package io.millrace.coordinator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.record.MetadataRecord;
import io.millrace.metadata.znode.ControllerNode;
import io.millrace.metadata.znode.ServiceRegistration;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.membership.Membership;
import io.millrace.service.protocol.SharedHandlers;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/// The whole service with real sockets and a real ZooKeeper, between the Java client and a broker that keeps its log in
/// memory.
class CoordinatorIT {
    private static final int ID = 1000;
    private static final int SHARDS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestingServer zookeeper;
    private final CuratorFramework curator;
    private final FakeBroker broker = new FakeBroker();
    private final FakeController controller = new FakeController();
    private ConfigurableApplicationContext coordinator;
    private int port;

    CoordinatorIT() throws Exception {
        zookeeper = new TestingServer();
        curator = CuratorFrameworkFactory.newClient(zookeeper.getConnectString(), new RetryOneTime(100));
        curator.start();
        create("/controller", new ControllerNode(0, 0).json());
        create("/services/controller/0",
                new ServiceRegistration(0, "127.0.0.1", controller.port(), List.of(), null, null, "", 0).json());
        coordinator = start();
    }

    @BeforeEach
    void topicsAndShards() throws Exception {
        var records = new ArrayList<MetadataRecord>();
        records.add(new MetadataRecord.NodePut(node(Role.BROKER, 0, broker.port())));
        topic(ShardKind.GROUP.topic(), new UUID(1, 1), SHARDS, records);
        topic("t", new UUID(2, 2), 6, records);
        controller.publish(records);
        give(1);
    }

    @AfterEach
    void closeAll() throws Exception {
        coordinator.close();
        controller.close();
        broker.close();
        curator.close();
        zookeeper.close();
    }

    @Test
    void membersShareATopicAndCommitsOutliveTheCoordinator() throws Exception {
        try (var one = consumer("g"); var other = consumer("g"); var admin = Admin.create(connection())) {
            one.subscribe(List.of("t"));
            other.subscribe(List.of("t"));
            await().atMost(PATIENCE).untilAsserted(() -> {
                one.poll(Duration.ofMillis(100));
                other.poll(Duration.ofMillis(100));
                assertThat(one.assignment()).hasSize(3);
                assertThat(other.assignment()).hasSize(3);
            });
            var all = new HashSet<>(one.assignment());
            all.addAll(other.assignment());
            assertThat(all).hasSize(6);
            var mine = one.assignment().iterator().next();
            one.commitSync(Map.of(mine, new OffsetAndMetadata(42, "text")));
            var described = admin.describeConsumerGroups(Set.of("g")).all().get().values().iterator().next();
            assertThat(described.groupState()).isEqualTo(GroupState.STABLE);
            assertThat(described.members()).hasSize(2);
            assertThat(meter("kafka.coordinator.group.groupmetadatamanager.numgroupsstable")).isEqualTo(1);

            coordinator.close();
            coordinator = start();
            give(2);

            try (var later = consumer("g")) {
                assertThat(later.committed(Set.of(mine))).containsEntry(mine, new OffsetAndMetadata(42, "text"));
            }
        }
    }

    @Test
    void aGroupWithoutMembersCommitsIsListedAndIsDeleted() throws Exception {
        var partition = new TopicPartition("t", 0);
        try (var alone = consumer("simple"); var admin = Admin.create(connection())) {
            alone.assign(List.of(partition));
            alone.commitSync(Map.of(partition, new OffsetAndMetadata(7)));
            assertThat(admin.listGroups().all().get()).extracting(group -> group.groupId()).containsExactly("simple");

            admin.deleteConsumerGroupOffsets("simple", Set.of(partition)).all().get();
            assertThat(alone.committed(Set.of(partition)).get(partition)).isNull();
            alone.commitSync(Map.of(partition, new OffsetAndMetadata(8)));
            admin.deleteConsumerGroups(Set.of("simple")).all().get();

            assertThat(admin.listGroups().all().get()).isEmpty();
            assertThat(alone.committed(Set.of(partition)).get(partition)).isNull();
        }
    }

    private double meter(String name) {
        return coordinator.getBean(MeterRegistry.class).get(name).gauge().value();
    }

    private void give(int epoch) throws Exception {
        var registered = ServiceRegistration.parse(
                new String(curator.getData().forPath("/services/coordinator/" + ID), UTF_8));
        port = registered.port();
        var records = new ArrayList<MetadataRecord>();
        records.add(new MetadataRecord.NodePut(node(Role.COORDINATOR, ID, port)));
        for (int shard = 0; shard < SHARDS; shard++) {
            records.add(new MetadataRecord.ShardPut(ShardKind.GROUP, new ShardImage(shard, ID, epoch)));
        }
        controller.publish(records);
    }

    private ConfigurableApplicationContext start() {
        var context = CoordinatorApplication.application().run("--server.port=0", "--server.address=127.0.0.1",
                "--kafka.broker.id=" + ID, "--kafka.listeners=PLAINTEXT://127.0.0.1:0",
                "--kafka.zookeeper.connect=" + zookeeper.getConnectString(),
                "--kafka.group.initial.rebalance.delay.ms=0");
        var membership = context.getBean(Membership.class);
        broker.share(SharedHandlers.of(membership.subscription(), membership.controller(),
                context.getBean(ServerSettings.class), 0, () -> 1));
        return context;
    }

    private void create(String path, String json) throws Exception {
        curator.create().creatingParentsIfNeeded().forPath(path, json.getBytes(UTF_8));
    }

    private Properties connection() {
        var properties = new Properties();
        properties.put("bootstrap.servers", "127.0.0.1:" + port);
        return properties;
    }

    private KafkaConsumer<byte[], byte[]> consumer(String group) {
        var properties = connection();
        properties.put("group.id", group);
        properties.put("enable.auto.commit", "false");
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static NodeImage node(Role role, int id, int port) {
        return new NodeImage(role, id, 1, List.of(new Endpoint("PLAINTEXT", "PLAINTEXT", "127.0.0.1", port)), null,
                null, "", NodeState.ACTIVE);
    }

    private static void topic(String name, UUID id, int partitions, List<MetadataRecord> to) {
        to.add(new MetadataRecord.TopicPut(name, id));
        for (int number = 0; number < partitions; number++) {
            to.add(new MetadataRecord.PartitionPut(id,
                    new PartitionImage(number, List.of(0), List.of(0), List.of(), List.of(), 0, 0, 0)));
        }
    }
}
