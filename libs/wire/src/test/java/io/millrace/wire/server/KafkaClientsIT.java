package io.millrace.wire.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.ClientSoftware;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/// The real Java client against handlers that know just enough for it.
class KafkaClientsIT {
    private static final Uuid TOPIC_ID = new Uuid(1, 2);

    private final AtomicReference<InetSocketAddress> address = new AtomicReference<>();
    private final AtomicReference<ClientSoftware> software = new AtomicReference<>();
    private final Map<Long, String> produced = new HashMap<>();

    @Test
    void theAdminClientNegotiatesAndReadsTheAnswers() throws Exception {
        try (var fixture = ServerFixture.of(new Cluster(), new Topics())) {
            address.set(fixture.server().address());
            try (var admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap()))) {
                var cluster = admin.describeCluster(new DescribeClusterOptions().timeoutMs(20_000));

                assertThat(cluster.clusterId().get(20, TimeUnit.SECONDS)).isEqualTo("a-cluster");
                assertThat(cluster.nodes().get()).singleElement().satisfies(node -> assertThat(node.id()).isEqualTo(4));
            }
            assertThat(software.get()).isEqualTo(new ClientSoftware("apache-kafka-java", "4.4.0"));
        }
    }

    @Test
    void theProducersRecordsArrive() throws Exception {
        try (var fixture = ServerFixture.of(new Topics(), new Produces())) {
            address.set(fixture.server().address());
            Map<String, Object> config = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap(),
                    ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false, ProducerConfig.LINGER_MS_CONFIG, 0);
            try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
                for (int i = 0; i < 1_000; i++) {
                    producer.send(new ProducerRecord<>("t", bytes("value " + i)));
                }
                producer.flush();
                var last = producer.send(new ProducerRecord<>("t", bytes("last"))).get(20, TimeUnit.SECONDS);
                assertThat(last.offset()).isEqualTo(1_000);
            }
        }
        assertThat(produced).hasSize(1_001).containsEntry(0L, "value 0").containsEntry(999L, "value 999");
    }

    private String bootstrap() {
        return "127.0.0.1:" + address.get().getPort();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private final class Cluster implements ApiHandler<DescribeClusterRequestData, DescribeClusterResponseData> {
        @Override
        public ApiKeys api() {
            return ApiKeys.DESCRIBE_CLUSTER;
        }

        @Override
        public CompletableFuture<DescribeClusterResponseData> handle(DescribeClusterRequestData request,
                RequestContext context) {
            software.set(context.software());
            var answer = new DescribeClusterResponseData().setClusterId("a-cluster").setControllerId(4);
            answer.brokers()
                    .add(new DescribeClusterResponseData.DescribeClusterBroker().setBrokerId(4)
                            .setHost("127.0.0.1")
                            .setPort(address.get().getPort()));
            return CompletableFuture.completedFuture(answer);
        }
    }

    private final class Topics implements ApiHandler<MetadataRequestData, MetadataResponseData> {
        @Override
        public ApiKeys api() {
            return ApiKeys.METADATA;
        }

        @Override
        public CompletableFuture<MetadataResponseData> handle(MetadataRequestData request, RequestContext context) {
            var answer = new MetadataResponseData().setClusterId("a-cluster").setControllerId(4);
            answer.brokers()
                    .add(new MetadataResponseData.MetadataResponseBroker().setNodeId(4)
                            .setHost("127.0.0.1")
                            .setPort(address.get().getPort()));
            var topic = new MetadataResponseData.MetadataResponseTopic().setName("t").setTopicId(TOPIC_ID);
            topic.partitions()
                    .add(new MetadataResponseData.MetadataResponsePartition().setLeaderId(4)
                            .setReplicaNodes(List.of(4))
                            .setIsrNodes(List.of(4)));
            answer.topics().add(topic);
            return CompletableFuture.completedFuture(answer);
        }
    }

    /// Counts offsets on.
    private final class Produces implements ApiHandler<ProduceRequestData, ProduceResponseData> {
        @Override
        public ApiKeys api() {
            return ApiKeys.PRODUCE;
        }

        @Override
        public CompletableFuture<ProduceResponseData> handle(ProduceRequestData request, RequestContext context) {
            var topic = request.topicData().iterator().next();
            long base = produced.size();
            for (var record : ((MemoryRecords) topic.partitionData().getFirst().records()).records()) {
                produced.put((long) produced.size(), StandardCharsets.UTF_8.decode(record.value()).toString());
            }
            var appended = new ProduceResponseData.TopicProduceResponse().setName(topic.name())
                    .setTopicId(topic.topicId());
            appended.partitionResponses().add(new ProduceResponseData.PartitionProduceResponse().setBaseOffset(base));
            var answer = new ProduceResponseData();
            answer.responses().add(appended);
            return CompletableFuture.completedFuture(answer);
        }
    }
}
