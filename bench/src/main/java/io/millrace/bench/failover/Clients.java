package io.millrace.bench.failover;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;

/// Kafka's own clients, told to try again soon: what is measured is the cluster and not their patience.
final class Clients implements AutoCloseable {

    private static final Map<String, Object> EAGER = Map.of("retry.backoff.ms", 20, "retry.backoff.max.ms", 100,
            "reconnect.backoff.ms", 20, "reconnect.backoff.max.ms", 100);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int PATIENT_MILLIS = 120_000;
    private static final int HASTY_MILLIS = 2_000;
    private static final int DEFAULT_REQUEST_MILLIS = 30_000;
    private static final int SHORT_REQUEST_MILLIS = 1_000;
    private static final int GLANCE_MILLIS = 400;

    private final String bootstrap;
    private final Admin admin;
    private final Admin hasty;
    private final Writer defaultRequests;
    private final Writer shortRequests;

    Clients(String bootstrap) {
        this.bootstrap = bootstrap;
        this.admin = admin(PATIENT_MILLIS);
        this.hasty = admin(HASTY_MILLIS);
        this.defaultRequests = new Writer(bootstrap, EAGER, DEFAULT_REQUEST_MILLIS);
        this.shortRequests = new Writer(bootstrap, EAGER, SHORT_REQUEST_MILLIS);
    }

    /// A producer as Kafka's clients come.
    Writer defaultRequests() {
        return defaultRequests;
    }

    /// A producer of somebody who minds a broker that hangs: what was sent to such a one is given up only when the time of
    /// the request is over (`request.timeout.ms`), whoever leads by then, and that is 30 s unless told otherwise.
    Writer shortRequests() {
        return shortRequests;
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

    /// The same, where a broker may still be on its way back from what was done to it before.
    void createOnceAllAreThere(String topic, int partitions, int replicas) {
        Wait.until("there are " + replicas + " brokers", () -> {
            try {
                create(topic, partitions, replicas);
                return true;
            } catch (IllegalStateException failure) {
                if (failure.getCause() instanceof ExecutionException refused && refused
                        .getCause() instanceof InvalidReplicationFactorException) {
                    return false;
                }
                throw failure;
            }
        });
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
        return partitions(admin, topic);
    }

    private static List<TopicPartitionInfo> partitions(Admin admin, String topic) {
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

    /// Asks whoever answers at once, since one broker hangs.
    ///
    /// @return when it was no longer said to lead anything, by [System#nanoTime]
    long awaitNotLed(String topic, int broker) {
        try (Admin glancing = admin(GLANCE_MILLIS)) {
            Wait.until("broker " + broker + " leads nothing", () -> {
                var partitions = partitions(glancing, topic);
                return !partitions.isEmpty() && partitions.stream().noneMatch(it -> isLed(it) && it.leader()
                        .id() == broker);
            });
            return System.nanoTime();
        }
    }

    void awaitGone(String topic) {
        Wait.until(topic + " is gone", () -> partitions(topic).isEmpty());
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

    @Override
    public void close() {
        defaultRequests.close();
        shortRequests.close();
        admin.close(Duration.ZERO);
        hasty.close(Duration.ZERO);
    }
}
