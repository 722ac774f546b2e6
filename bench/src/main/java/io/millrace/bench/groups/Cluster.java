package io.millrace.bench.groups;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// A cluster that is measured. Commands have `{id}` in place of the node that they are for.
///
/// @param pids of all its servers; ZooKeeper is counted nowhere
/// @param kill command that kills a node that coordinates; empty for none
/// @param stop command that asks it to end, and waits until it has
/// @param start command that starts it again
record Cluster(String name, String bootstrap, List<Long> pids, String kill, String stop, String start) {

    /// @param values in the order of the fields; process ids with commas between them
    static Cluster of(List<String> values) {
        return new Cluster(values.get(0), values.get(1), Arrays.stream(values.get(2).split(",", -1)).map(Long::valueOf)
                .toList(), values.get(3), values.get(4), values.get(5));
    }

    Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrap));
    }

    void create(String topic, int partitions, int replicas) throws InterruptedException, ExecutionException {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) replicas))).all().get();
        }
    }

    /// @param settings in place of its own
    KafkaConsumer<byte[], byte[]> consumer(String group, Map<String, Object> settings) {
        var all = new HashMap<String, Object>(Map.of("bootstrap.servers", bootstrap, "group.id", group,
                "enable.auto.commit", false, "auto.offset.reset", "earliest"));
        all.putAll(settings);
        return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /// Runs one of the commands.
    void run(String command, int node) throws IOException, InterruptedException {
        int code = new ProcessBuilder("bash", "-c", command.replace("{id}", Integer.toString(node)))
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("exit code " + code + " of " + command);
        }
    }
}
