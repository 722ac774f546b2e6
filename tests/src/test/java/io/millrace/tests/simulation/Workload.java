package io.millrace.tests.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.millrace.metadata.command.CreatePartitions;
import io.millrace.metadata.command.CreatePartitions.PartitionsSpec;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.DeleteTopics.TopicRef;
import io.millrace.metadata.command.TopicOutcome;
import org.jspecify.annotations.Nullable;

/// What people and programs do with the cluster: topics come, grow and go; each partition has a producer and a consumer.
final class Workload {
    private final SimulatedClient client;
    private final AdminRequests requests;
    private final Operator operator;
    private final Committed committed;
    private final Map<String, Topic> topics = new LinkedHashMap<>();
    private int lastTopic;
    private int lastProducer;
    private long acknowledgedBefore;

    /// A topic that exists, as far as its maker was told.
    private record Topic(UUID id, List<PartitionKey> partitions, List<SimulatedProducer> producers,
            List<SimulatedConsumer> consumers) {}

    Workload(SimulatedClient client, AdminRequests requests, Operator operator, Committed committed) {
        this.client = client;
        this.requests = requests;
        this.operator = operator;
        this.committed = committed;
    }

    /// Partitions that are there, as their clients know.
    List<PartitionKey> partitions() {
        return topics.values().stream().flatMap(topic -> topic.partitions().stream()).toList();
    }

    long acknowledged() {
        return acknowledgedBefore + topics.values().stream().flatMap(topic -> topic.producers().stream()).mapToLong(
                SimulatedProducer::acknowledged).sum();
    }

    void createTopic(int partitions, int replicas, int minInSync) {
        var name = "t" + lastTopic++;
        var configs = new HashMap<>(Settings.SMALL_SEGMENTS);
        configs.put("min.insync.replicas", Integer.toString(minInSync));
        requests.ask("create topic=%s partitions=%d replicas=%d".formatted(name, partitions, replicas),
                new CreateTopics(List.of(
                        new NewTopic(name, partitions, replicas, Map.of(), configs)), false, 5_000),
                result -> created(result.topics().getFirst()));
    }

    private void created(TopicOutcome outcome) {
        var id = outcome.id();
        var name = outcome.name();
        if (id != null && name != null) {
            var topic = new Topic(id, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            topics.put(name, topic);
            grow(topic, outcome.partitions());
        }
    }

    private void grow(Topic topic, int partitions) {
        for (int partition = topic.partitions().size(); partition < partitions; partition++) {
            var key = new PartitionKey(topic.id(), partition);
            topic.partitions().add(key);
            produce(topic, key, SimulatedProducer.ALL);
            if (client.world().random().nextInt(3) == 0) {
                produce(topic, key, SimulatedProducer.LEADER);
            }
            var consumer = new SimulatedConsumer(client, key, committed.of(key));
            topic.consumers().add(consumer);
            consumer.start();
        }
    }

    private void produce(Topic topic, PartitionKey key, short acks) {
        var producer = new SimulatedProducer(client, key, committed.of(key), ++lastProducer, acks, 200 + client.world()
                .random().nextInt(600));
        topic.producers().add(producer);
        producer.start();
    }

    /// Has the operator do something to some partition.
    void operate() {
        var name = anyTopic();
        var topic = name == null ? null : topics.get(name);
        if (name != null && topic != null) {
            operator.workOn(name, topic.partitions().get(client.world().random().nextInt(topic.partitions().size())));
        }
    }

    void growTopic() {
        var name = anyTopic();
        var grown = name == null ? null : topics.get(name);
        if (name == null || grown == null) {
            return;
        }
        int wanted = grown.partitions().size() + 1;
        requests.ask("grow topic=%s partitions=%d".formatted(name, wanted), new CreatePartitions(List.of(
                new PartitionsSpec(name,
                        wanted, List.of())), false, 5_000), result -> {
                            var topic = topics.get(name);
                            if (topic != null && result.topics().getFirst().succeeded()) {
                                grow(topic, wanted);
                            }
                        });
    }

    void deleteTopic() {
        var name = anyTopic();
        if (name == null || topics.size() < 2) {
            return;
        }
        var topic = topics.remove(name);
        if (topic == null) {
            return;
        }
        acknowledgedBefore += topic.producers().stream().mapToLong(SimulatedProducer::acknowledged).sum();
        topic.producers().forEach(SimulatedProducer::stop);
        topic.consumers().forEach(SimulatedConsumer::stop);
        requests.ask("delete topic=" + name, new DeleteTopics(List.of(TopicRef.named(name)), 5_000), _ -> client.world()
                .trace().happened("deletion"));
    }

    private @Nullable String anyTopic() {
        var names = List.copyOf(topics.keySet());
        return names.isEmpty() ? null : names.get(client.world().random().nextInt(names.size()));
    }
}
