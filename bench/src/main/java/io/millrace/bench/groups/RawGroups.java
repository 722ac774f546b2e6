package io.millrace.bench.groups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.millrace.base.loop.Backoff;
import io.millrace.wire.client.ClientLimits;
import io.millrace.wire.client.NodeClient;
import org.apache.kafka.common.Uuid;
import reactor.netty.resources.LoopResources;

/// Many groups of one member each that commit offsets of a topic.
final class RawGroups implements AutoCloseable {
    private static final Backoff RECONNECT = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));

    private final LoopResources loops = LoopResources.create("groups", 2, true);
    private final List<RawGroup> groups;
    private final String topic;
    private final Uuid topicId;

    /// @param topic of at least one partition
    RawGroups(Cluster cluster, String topic, List<String> names) throws InterruptedException, ExecutionException {
        this.topic = topic;
        try (var admin = cluster.admin()) {
            topicId = admin.describeTopics(List.of(topic)).allTopicNames().get().values().iterator().next().topicId();
        }
        var defaults = ClientLimits.DEFAULTS;
        var limits = new ClientLimits(defaults.maxInFlight(), defaults.maxWaiting(), defaults.maxAnswerBytes(), defaults
                .connectTimeout(), defaults.maxSilence(), RECONNECT);
        groups = names.stream().map(name -> new RawGroup(NodeClient.create(name, loops, limits), cluster.bootstrap(),
                name)).toList();
    }

    static List<String> names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + "-" + i).toList();
    }

    List<RawGroup> all() {
        return groups;
    }

    void commit(RawGroup group, long offset) {
        group.commit(topic, topicId, 0, offset);
    }

    void commitAll(RawGroup group, List<Integer> partitions, long offset) {
        group.commitAll(topic, topicId, partitions, offset);
    }

    /// Does the same with each of them at once, and waits until all are done.
    void each(Consumer<RawGroup> work) throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var begun = new ArrayList<Future<?>>();
            groups.forEach(group -> begun.add(threads.submit(() -> work.accept(group))));
            for (var one : begun) {
                one.get();
            }
        }
    }

    int sum(ToIntFunction<RawGroup> of) {
        return groups.stream().mapToInt(of).sum();
    }

    /// The node that coordinates most of them.
    int busiest() {
        return groups.stream().collect(Collectors.groupingBy(RawGroup::coordinatorId, Collectors.counting())).entrySet()
                .stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    }

    @Override
    public void close() {
        groups.forEach(RawGroup::close);
        loops.disposeLater(Duration.ZERO, Duration.ofSeconds(2)).block();
    }
}
