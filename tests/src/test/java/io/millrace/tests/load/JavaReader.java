package io.millrace.tests.load;

import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;

import io.millrace.tests.compatibility.Kafka;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/// Kafka's Java consumer, without a group. It is told to reset nothing, so that an offset that was there and is no more
/// is a complaint.
final class JavaReader implements Reader {

    private final Sightings sightings;
    private final Thread thread;
    private volatile boolean ended;

    JavaReader(Kafka kafka, String topic, int partitions, String name) {
        this(kafka, topic, partitions, name, "read_uncommitted");
    }

    /// @param isolation `isolation.level`
    JavaReader(Kafka kafka, String topic, int partitions, String name, String isolation) {
        this.sightings = new Sightings(name);
        this.thread = Thread.ofPlatform().name(name).start(() -> read(kafka, topic, partitions, isolation));
    }

    private void read(Kafka kafka, String topic, int partitions, String isolation) {
        var all = IntStream.range(0, partitions).mapToObj(it -> new TopicPartition(topic, it)).toList();
        try (Consumer<String, String> consumer = kafka.consumer(Map.of("auto.offset.reset", "none",
                "isolation.level", isolation,
                "request.timeout.ms", 5_000, "reconnect.backoff.max.ms", 200))) {
            consumer.assign(all);
            all.forEach(it -> consumer.seek(it, 0));
            while (!ended) {
                consumer.poll(Duration.ofMillis(200))
                        .forEach(it -> sightings.saw(it.partition(), it.offset(), it.value()));
            }
        } catch (KafkaException e) {
            sightings.complain(e.toString());
        }
    }

    @Override
    public Sightings sightings() {
        return sightings;
    }

    @Override
    public void close() {
        ended = true;
        Ends.join(thread);
    }
}
