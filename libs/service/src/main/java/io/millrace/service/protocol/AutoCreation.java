package io.millrace.service.protocol;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;

/// Creates topics because a client asked for their metadata (`auto.create.topics.enable`). A topic is asked of the
/// controller once, however many clients wait for it; so many at most are asked for at a time.
final class AutoCreation {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);
    private static final int MAX_IN_FLIGHT = 1_000;

    private final boolean enabled;
    private final Forwarding forwarding;
    private final Images images;
    private final Map<String, CompletableFuture<Errors>> inFlight = new ConcurrentHashMap<>();

    /// Waits until the image meets a condition, see `MetadataSubscription.await`.
    @FunctionalInterface
    interface Images {
        CompletableFuture<Void> await(Predicate<ClusterImage> condition, Duration atMost);
    }

    AutoCreation(boolean enabled, Forwarding forwarding, Images images) {
        this.enabled = enabled;
        this.forwarding = forwarding;
        this.images = images;
    }

    /// Creates what of `topics` may be created, and completes once this node's image has them. Never fails: answers the
    /// error to tell for each that is not there.
    CompletableFuture<Map<String, Errors>> create(List<String> topics) {
        if (!enabled || topics.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        var created = topics.stream().filter(topic -> !Topic.isInternal(topic)).map(this::create).toList();
        return CompletableFuture.allOf(created.toArray(CompletableFuture[]::new)).thenApply(_ -> {
            var failed = new HashMap<String, Errors>();
            created.stream().map(CompletableFuture::join).filter(one -> one.error() != Errors.NONE)
                    .forEach(one -> failed.put(one.topic(), one.error()));
            return failed;
        });
    }

    /// Creates what coordinators of that kind keep their state in, as the controller's settings say. Completes and answers
    /// as [#create(List)].
    CompletableFuture<Errors> create(ShardKind kind) {
        return create(kind.topic()).thenApply(Created::error);
    }

    private CompletableFuture<Created> create(String topic) {
        var asked = new CompletableFuture<Errors>();
        var running = inFlight.putIfAbsent(topic, asked);
        if (running != null) {
            return running.thenApply(error -> new Created(topic, error));
        }
        if (inFlight.size() > MAX_IN_FLIGHT) {
            inFlight.remove(topic);
            asked.complete(Errors.LEADER_NOT_AVAILABLE);
        } else {
            ask(topic).whenComplete((error, failure) -> {
                inFlight.remove(topic);
                asked.complete(failure == null ? error : Errors.LEADER_NOT_AVAILABLE);
            });
        }
        return asked.thenApply(error -> new Created(topic, error));
    }

    private CompletableFuture<Errors> ask(String topic) {
        var wanted = new NewTopic(topic, CreateTopics.DEFAULT, CreateTopics.DEFAULT, Map.of(), Map.of());
        var command = new CreateTopics(List.of(wanted), false, LONGEST_WAIT.toMillis());
        return forwarding.send(command, LONGEST_WAIT.toMillis())
                .thenApply(result -> Errors.forCode(result.topics().getFirst().errorCode()))
                .exceptionally(Failures::errorOf)
                .thenCompose(error -> isThere(error)
                        ? images.await(image -> image.topic(topic).isPresent(), LONGEST_WAIT).thenApply(_ -> error)
                        : CompletableFuture.completedFuture(error))
                .thenApply(AutoCreation::told);
    }

    private static boolean isThere(Errors error) {
        return error == Errors.NONE || error == Errors.TOPIC_ALREADY_EXISTS;
    }

    /// A client asks again after LEADER_NOT_AVAILABLE: right for what is on its way or hindered for a while.
    private static Errors told(Errors error) {
        return switch (error) {
            case NONE, INVALID_TOPIC_EXCEPTION, INVALID_REPLICATION_FACTOR, INVALID_PARTITIONS, POLICY_VIOLATION,
                    TOPIC_AUTHORIZATION_FAILED, CLUSTER_AUTHORIZATION_FAILED ->
                error;
            default -> Errors.LEADER_NOT_AVAILABLE;
        };
    }

    private record Created(String topic, Errors error) {}
}
