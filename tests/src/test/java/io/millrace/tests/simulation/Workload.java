package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.CreatePartitions;
import io.millrace.metadata.command.CreatePartitions.PartitionsSpec;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.DeleteTopics.TopicRef;
import io.millrace.metadata.command.TopicOutcome;
import io.millrace.service.subscription.ZnodeActiveController;
import org.jspecify.annotations.Nullable;

/// What people and programs do with the cluster: topics come, grow and go; each partition has a producer and a consumer.
final class Workload {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final SimulatedClient client;
    private final SimulatedControllerClient controller;
    private final Committed committed;
    private final Map<String, Topic> topics = new LinkedHashMap<>();
    private int lastTopic;
    private int lastProducer;
    private long acknowledgedBefore;

    /// A topic that exists, as far as its maker was told.
    private record Topic(UUID id, int replicas, List<SimulatedProducer> producers, List<SimulatedConsumer> consumers) {}

    Workload(SimulatedClient client, SimulatedControllers controllers, Committed committed) {
        this.client = client;
        this.committed = committed;
        var world = client.world();
        var znodes = world.zookeeper().client(client.process(), Settings.SESSION_TIMEOUT, world.random().split());
        controller = new SimulatedControllerClient(world.network(), client.process(), new ZnodeActiveController(znodes,
                client.process()), controllers::get, world.loop().ticker());
    }

    /// Partitions whose records were never lost so far, as their clients know.
    Map<PartitionKey, Integer> partitions() {
        var all = new HashMap<PartitionKey, Integer>();
        topics.values().forEach(topic -> {
            for (int partition = 0; partition < topic.producers().size(); partition++) {
                all.put(new PartitionKey(topic.id(), partition), topic.replicas());
            }
        });
        return all;
    }

    long acknowledged() {
        return acknowledgedBefore + topics.values().stream().flatMap(topic -> topic.producers().stream()).mapToLong(
                SimulatedProducer::acknowledged).sum();
    }

    void createTopic(int partitions, int replicas, int minInSync) {
        var name = "t" + lastTopic++;
        var configs = new HashMap<>(Settings.SMALL_SEGMENTS);
        configs.put("min.insync.replicas", Integer.toString(minInSync));
        ask("create topic=%s partitions=%d replicas=%d".formatted(name, partitions, replicas), new CreateTopics(List.of(
                new NewTopic(name, partitions, replicas, Map.of(), configs)), false, 5_000),
                result -> created(result.topics().getFirst(), replicas));
    }

    private void created(TopicOutcome outcome, int replicas) {
        client.world().trace().say("created %s", outcome);
        var id = outcome.id();
        var name = outcome.name();
        if (id != null && name != null) {
            var topic = new Topic(id, replicas, new ArrayList<>(), new ArrayList<>());
            topics.put(name, topic);
            grow(topic, outcome.partitions());
        }
    }

    private void grow(Topic topic, int partitions) {
        for (int partition = topic.producers().size(); partition < partitions; partition++) {
            var key = new PartitionKey(topic.id(), partition);
            var producer = new SimulatedProducer(client, key, committed.of(key), ++lastProducer, 100 + client.world()
                    .random().nextInt(400));
            var consumer = new SimulatedConsumer(client, key, committed.of(key));
            topic.producers().add(producer);
            topic.consumers().add(consumer);
            producer.start();
            consumer.start();
        }
    }

    void growTopic() {
        var name = anyTopic();
        var grown = name == null ? null : topics.get(name);
        if (name == null || grown == null) {
            return;
        }
        int wanted = grown.producers().size() + 1;
        ask("grow topic=%s partitions=%d".formatted(name, wanted), new CreatePartitions(List.of(new PartitionsSpec(name,
                wanted, List.of())), false, 5_000), result -> {
                    client.world().trace().say("grown %s", result);
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
        ask("delete topic=" + name, new DeleteTopics(List.of(TopicRef.named(name)), 5_000), result -> client.world()
                .trace().say("deleted %s",
                        result));
    }

    private @Nullable String anyTopic() {
        var names = List.copyOf(topics.keySet());
        return names.isEmpty() ? null : names.get(client.world().random().nextInt(names.size()));
    }

    /// @param what in a few words, the same in every run
    private <R> void ask(String what, Command<R> command, Consumer<R> onAnswer) {
        client.world().trace().say("ask %s", what);
        controller.send(command, TIMEOUT).whenComplete((result, failure) -> {
            if (failure == null) {
                onAnswer.accept(result);
            } else {
                client.world().trace().say("refused %s", failure);
            }
        });
    }
}
