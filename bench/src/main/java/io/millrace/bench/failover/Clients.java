package io.millrace.bench.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// Kafka's own clients, told to try again soon: what is measured is the cluster and not their patience.
final class Clients implements AutoCloseable {

    private static final Map<String, Object> EAGER = Map.of("retry.backoff.ms", 20, "retry.backoff.max.ms", 100,
            "reconnect.backoff.ms", 20, "reconnect.backoff.max.ms", 100);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int PATIENT_MILLIS = 120_000;
    private static final int HASTY_MILLIS = 2_000;

    private final String bootstrap;
    private final Admin admin;
    private final Admin hasty;
    private final KafkaProducer<byte[], byte[]> producer;

    Clients(String bootstrap) {
        this.bootstrap = bootstrap;
        this.admin = admin(PATIENT_MILLIS);
        this.hasty = admin(HASTY_MILLIS);
        var settings = new HashMap<>(EAGER);
        settings.putAll(Map.of("bootstrap.servers", bootstrap, "acks", "all", "enable.idempotence", false, "linger.ms",
                0, "delivery.timeout.ms", 300_000, "max.block.ms", PATIENT_MILLIS));
        this.producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private Admin admin(int timeoutMillis) {
        var settings = new HashMap<>(EAGER);
        settings.putAll(Map.of("bootstrap.servers", bootstrap, "request.timeout.ms", timeoutMillis,
                "default.api.timeout.ms", timeoutMillis));
        return Admin.create(settings);
    }

    static <T> T await(Future<T> future) {
        try {
            return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Asks for the topic; two of three replicas must have what is acknowledged.
    void create(String topic, int partitions, int replicas) {
        await(admin.createTopics(List.of(new NewTopic(topic, partitions, (short) replicas)
                .configs(Map.of("min.insync.replicas", replicas < 3 ? "1" : "2")))).all());
    }

    /// Asks for a small topic again and again until it is there.
    void createEagerly(String topic) {
        Wait.until("topic " + topic + " is created", () -> {
            try {
                hasty.createTopics(List.of(new NewTopic(topic, Optional.of(1), Optional.of((short) 1)))).all()
                        .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                return true;
            } catch (ExecutionException e) {
                return e.getCause() instanceof TopicExistsException;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            } catch (TimeoutException e) {
                return false;
            }
        });
    }

    void delete(String topic) {
        await(admin.deleteTopics(List.of(topic)).all());
    }

    /// @return nothing as long as the topic is not known
    List<TopicPartitionInfo> partitions(String topic) {
        try {
            return admin.describeTopics(List.of(topic)).topicNameValues().values().iterator().next()
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS).partitions();
        } catch (ExecutionException | TimeoutException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static boolean isLed(TopicPartitionInfo partition) {
        @Nullable
        Node leader = partition.leader();
        return leader != null && !leader.isEmpty();
    }

    void awaitLed(String topic, int partitions) {
        Wait.until(topic + " is led",
                () -> partitions(topic).stream().filter(Clients::isLed).count() == partitions);
    }

    void awaitInSync(String topic, int partitions, int replicas) {
        Wait.until(topic + " is in sync", () -> partitions(topic).stream()
                .filter(it -> isLed(it) && it.isr().size() >= replicas).count() == partitions);
    }

    boolean isListed(int broker) {
        try {
            return admin.describeCluster().nodes().get(LIMIT.toSeconds(), TimeUnit.SECONDS).stream()
                    .anyMatch(it -> it.id() == broker);
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    void electPreferred(List<TopicPartitionInfo> partitions, String topic) {
        await(admin.electLeaders(ElectionType.PREFERRED, partitions.stream()
                .map(it -> new TopicPartition(topic, it.partition())).collect(Collectors.toSet())).partitions());
    }

    /// Sends a record to each partition.
    ///
    /// @return for each partition, when it was acknowledged, by [System#nanoTime]
    List<Long> writeToEach(String topic, int partitions) {
        List<CompletableFuture<Long>> times = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            var time = new CompletableFuture<Long>();
            producer.send(new ProducerRecord<>(topic, i, null, new byte[100]), (_, failure) -> {
                if (failure == null) {
                    time.complete(System.nanoTime());
                } else {
                    time.completeExceptionally(failure);
                }
            });
            times.add(time);
        }
        return times.stream().map(Clients::await).toList();
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        admin.close(Duration.ZERO);
        hasty.close(Duration.ZERO);
    }
}
