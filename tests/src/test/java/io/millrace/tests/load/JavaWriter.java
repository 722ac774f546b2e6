package io.millrace.tests.load;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.history.Writing;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Kafka's Java producer, with acks=all and as many retries as its delivery time allows; to every partition by turns.
final class JavaWriter implements Writer {

    private final Promises promises;
    private final Producer<String, String> producer;
    private final Thread thread;
    private volatile boolean ended;

    /// @param pause between two records
    JavaWriter(Kafka kafka, String topic, int partitions, String name, boolean idempotent, Duration pause) {
        this.promises = new Promises(name, idempotent);
        this.producer = kafka.producer(settings(idempotent));
        this.thread = Thread.ofPlatform().name(name).start(() -> write(topic, partitions, pause));
    }

    /// One that is not idempotent keeps the order only with a single request under way.
    private static Map<String, Object> settings(boolean idempotent) {
        var settings = new HashMap<String, Object>(Map.of("acks", "all", "enable.idempotence", idempotent,
                "delivery.timeout.ms", 300_000, "max.block.ms", 300_000, "request.timeout.ms", 3_000,
                "reconnect.backoff.max.ms", 200));
        if (!idempotent) {
            settings.put("max.in.flight.requests.per.connection", 1);
        }
        return settings;
    }

    private void write(String topic, int partitions, Duration pause) {
        for (int i = 0; !ended; i++) {
            int partition = i % partitions;
            var mark = promises.next(partition);
            try {
                producer.send(new ProducerRecord<>(topic, partition, null, mark.text()), (stored, failure) -> {
                    if (failure == null) {
                        promises.acknowledge(partition, mark.number(), stored.offset());
                    } else {
                        promises.fail(failure.toString());
                    }
                });
            } catch (RuntimeException e) {
                promises.fail(e.toString());
            }
            LockSupport.parkNanos(pause.toNanos());
        }
    }

    @Override
    public String name() {
        return promises.writer();
    }

    @Override
    public long acknowledged() {
        return promises.acknowledged();
    }

    @Override
    public List<String> failures() {
        return promises.failures();
    }

    @Override
    public List<Writing> finish() {
        end();
        producer.close();
        return promises.writings();
    }

    @Override
    public void close() {
        end();
        producer.close(Duration.ZERO);
    }

    private void end() {
        ended = true;
        Ends.join(thread);
    }
}
