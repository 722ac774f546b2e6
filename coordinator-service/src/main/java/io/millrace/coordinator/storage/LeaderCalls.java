package io.millrace.coordinator.storage;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.millrace.base.loop.Backoff;
import io.millrace.base.loop.Deadline;
import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import io.millrace.wire.error.Failures;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/// Calls the leader of a partition of one topic, wherever it is, until it answers or the time is up. Callable
/// from any thread.
@Slf4j
public final class LeaderCalls {
    private static final Backoff RETRY = new Backoff(Duration.ofMillis(20), Duration.ofMillis(500));

    private final String topic;
    private final IntFunction<NodeClient> clients;
    private final Supplier<ClusterImage> image;
    private final String listener;
    private final Loop loop;
    private final Ticker ticker;
    private final RandomGenerator random;

    /// @param topic its name
    /// @param clients by the number of the partition
    /// @param image the newest one
    /// @param listener of brokers, by its name
    /// @param loop for waits between attempts
    /// @param random used by several threads
    public LeaderCalls(String topic, IntFunction<NodeClient> clients, Supplier<ClusterImage> image, String listener,
            Loop loop,
            Ticker ticker, RandomGenerator random) {
        this.topic = topic;
        this.clients = clients;
        this.image = image;
        this.listener = listener;
        this.loop = loop;
        this.ticker = ticker;
        this.random = random;
    }

    /// Makes the request of one attempt.
    @FunctionalInterface
    interface RequestFactory {
        /// @param remaining until the call is given up
        ApiMessage create(TopicImage topic, Duration remaining);
    }

    private record Call<A extends ApiMessage, T>(int partition, Deadline deadline, RequestFactory request,
            Function<A, Answer<T>> read, CompletableFuture<T> result, AtomicBoolean doubtful) {}

    /// Fails with [Refused] and the leader's code. Where time is up that is the last one, or REQUEST_TIMED_OUT where it is
    /// not known what became of an attempt.
    ///
    /// @param read finds the partition's part of the answer
    <A extends ApiMessage, T> CompletableFuture<T> call(int partition, Duration timeout, RequestFactory request,
            Function<A, Answer<T>> read) {
        var result = new CompletableFuture<T>();
        attempt(new Call<>(partition, Deadline.in(timeout, ticker), request, read, result, new AtomicBoolean()), 0);
        return result;
    }

    private <A extends ApiMessage, T> void attempt(Call<A, T> call, int attempt) {
        var now = image.get();
        var found = now.topics().topic(topic);
        var leader = found.flatMap(image -> leader(now, image, call.partition()));
        if (found.isEmpty() || leader.isEmpty()) {
            again(call, attempt, Errors.LEADER_NOT_AVAILABLE);
            return;
        }
        var remaining = call.deadline().remaining();
        clients.apply(call.partition()).<A>send(leader.get(), call.request().create(found.get(), remaining), remaining)
                .thenApply(call.read()).whenComplete((answer, failure) -> {
                    if (failure != null) {
                        failed(call, attempt, failure);
                    } else if (answer.error() == Errors.NONE) {
                        call.result().complete(answer.value());
                    } else {
                        refused(call, attempt, answer.error());
                    }
                });
    }

    private Optional<NodeAddress> leader(ClusterImage now, TopicImage topic, int partition) {
        return topic.partition(partition).flatMap(found -> now.broker(found.leader()))
                .flatMap(node -> node.endpoint(listener))
                .map(endpoint -> new NodeAddress(endpoint.host(), endpoint.port()));
    }

    private void failed(Call<?, ?> call, int attempt, Throwable failure) {
        var cause = Failures.cause(failure);
        if (cause instanceof IOException || cause instanceof TimeoutException) {
            log.debug("attempt failed partition={} attempt={} reason=\"{}\"", call.partition(), attempt,
                    cause.toString());
            again(call, attempt, Errors.REQUEST_TIMED_OUT);
        } else {
            call.result().completeExceptionally(cause);
        }
    }

    private void refused(Call<?, ?> call, int attempt, Errors error) {
        switch (error) {
            case NOT_LEADER_OR_FOLLOWER, LEADER_NOT_AVAILABLE, UNKNOWN_TOPIC_OR_PARTITION, UNKNOWN_TOPIC_ID,
                    INCONSISTENT_TOPIC_ID, NOT_ENOUGH_REPLICAS, NOT_ENOUGH_REPLICAS_AFTER_APPEND, REQUEST_TIMED_OUT,
                    KAFKA_STORAGE_ERROR, OFFSET_NOT_AVAILABLE ->
                again(call, attempt, error);
            // It holds for this attempt, which says nothing of one before it whose end is not known.
            default -> call.result().completeExceptionally(refusal(call,
                    call.doubtful().get() && error != Errors.FENCED_LEADER_EPOCH ? Errors.REQUEST_TIMED_OUT : error));
        }
    }

    private void again(Call<?, ?> call, int attempt, Errors error) {
        switch (error) {
            case REQUEST_TIMED_OUT, NOT_ENOUGH_REPLICAS_AFTER_APPEND, KAFKA_STORAGE_ERROR -> call.doubtful().set(true);
            default -> {
            }
        }
        var wait = RETRY.delay(attempt, random);
        if (call.deadline().remaining().compareTo(wait) <= 0) {
            call.result().completeExceptionally(
                    refusal(call, call.doubtful().get() ? Errors.REQUEST_TIMED_OUT : error));
        } else {
            loop.schedule(wait, () -> attempt(call, attempt + 1));
        }
    }

    private Refused refusal(Call<?, ?> call, Errors error) {
        return new Refused(error, topic + "-" + call.partition());
    }
}
