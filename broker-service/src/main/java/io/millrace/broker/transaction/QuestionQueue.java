package io.millrace.broker.transaction;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.millrace.base.loop.Deadline;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.error.Failures;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The questions for one coordinator, at most one request of them under way. Any thread may call; the monitor is held for
/// steps along the queue only.
@Slf4j
final class QuestionQueue {
    private static final int MOST_WAITING = 10_000;
    /// In one request.
    private static final int MOST_TOGETHER = 500;
    /// Whoever still waits for the one under way is not kept longer by a coordinator that hangs.
    private static final Duration MOST_PATIENCE = Duration.ofSeconds(5);

    private final NodeAddress coordinator;
    private final CoordinatorChannel channel;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private boolean underWay;

    private record Waiting(Question question, Deadline deadline,
            CompletableFuture<Map<TopicPartition, Errors>> answer) {
        void refuse(Errors error) {
            answer.complete(TransactionChecks.all(question.partitions(), error));
        }
    }

    QuestionQueue(NodeAddress coordinator, CoordinatorChannel channel) {
        this.coordinator = coordinator;
        this.channel = channel;
    }

    /// @return completes on any thread, with an error for each partition; does not fail
    CompletableFuture<Map<TopicPartition, Errors>> ask(Question question, Deadline deadline) {
        var asked = new Waiting(question, deadline, new CompletableFuture<>());
        boolean taken;
        synchronized (this) {
            taken = waiting.size() < MOST_WAITING;
            if (taken) {
                waiting.add(asked);
            }
        }
        if (taken) {
            send();
        } else {
            asked.refuse(Errors.COORDINATOR_NOT_AVAILABLE);
        }
        return asked.answer;
    }

    private void send() {
        var batch = next();
        if (batch == null) {
            return;
        }
        var request = Asked.request(batch.stream().map(Waiting::question).toList());
        channel.ask(coordinator, request, MOST_PATIENCE).whenComplete((response, failure) -> {
            synchronized (this) {
                underWay = false;
            }
            answer(batch, response, failure);
            send();
        });
    }

    /// What goes with one request: of one transactional id only what may go as one, the rest waits.
    private synchronized @Nullable List<Waiting> next() {
        if (underWay) {
            return null;
        }
        var batch = new ArrayList<Waiting>();
        var rest = new ArrayList<Waiting>();
        var taken = new HashMap<String, Question>();
        var left = new HashSet<String>();
        while (!waiting.isEmpty() && batch.size() < MOST_TOGETHER) {
            var first = waiting.remove();
            var id = first.question.transactionalId();
            if (first.deadline.passed()) {
                first.refuse(Errors.REQUEST_TIMED_OUT);
            } else if (!left.contains(id) && taken.computeIfAbsent(id, _ -> first.question).joins(first.question)) {
                batch.add(first);
            } else {
                left.add(id);
                rest.add(first);
            }
        }
        rest.reversed().forEach(waiting::addFirst);
        underWay = !batch.isEmpty();
        return batch.isEmpty() ? null : batch;
    }

    private void answer(List<Waiting> batch, @Nullable AddPartitionsToTxnResponseData response,
            @Nullable Throwable failure) {
        if (response == null) {
            var error = errorOf(failure);
            log.debug("a coordinator did not answer coordinator={} error={} reason=\"{}\"", coordinator, error, String
                    .valueOf(failure));
            batch.forEach(each -> each.refuse(error));
            return;
        }
        batch.forEach(each -> each.answer.complete(Asked.answer(each.question, response)));
    }

    private static Errors errorOf(@Nullable Throwable failure) {
        var cause = failure == null ? null : Failures.cause(failure);
        return switch (cause) {
            case TimeoutException _ -> Errors.REQUEST_TIMED_OUT;
            case IOException _ -> Errors.COORDINATOR_NOT_AVAILABLE;
            case null -> Errors.UNKNOWN_SERVER_ERROR;
            default -> Failures.errorOf(cause);
        };
    }
}
