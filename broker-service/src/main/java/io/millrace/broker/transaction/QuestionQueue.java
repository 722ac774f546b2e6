package io.millrace.broker.transaction;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.base.loop.Deadline;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.error.Failures;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The questions for one coordinator, at most one request of them under way. Any thread may call; the monitor is held for
/// steps along the queue only. Kept by [QuestionQueues] for as long as there are any.
@Slf4j
final class QuestionQueue {
    private static final int MOST_WAITING = 10_000;
    /// In one request.
    private static final int MOST_TOGETHER = 500;
    /// Whoever still waits for the one under way is not kept longer by a coordinator that hangs.
    private static final Duration MOST_PATIENCE = Duration.ofSeconds(5);

    private final NodeAddress coordinator;
    private final CoordinatorChannel channel;
    private final Runnable idle;
    /// Steps that are due; whoever finds none takes them all, so that answers that come at once are no deeper recursion.
    private final AtomicInteger steps = new AtomicInteger();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private boolean underWay;

    /// A question, and who waits for its answer.
    ///
    /// @param answer completes on any thread, with an error for each partition; does not fail
    record Waiting(Question question, Deadline deadline, CompletableFuture<CoordinatorAnswer> answer) {
        Waiting(Question question, Deadline deadline) {
            this(question, deadline, new CompletableFuture<>());
        }

        private void refuse(Errors error) {
            answer.complete(CoordinatorAnswer.all(question.partitions(), error));
        }
    }

    /// @param idle told, on any thread, when no question is left
    QuestionQueue(NodeAddress coordinator, CoordinatorChannel channel, Runnable idle) {
        this.coordinator = coordinator;
        this.channel = channel;
        this.idle = idle;
    }

    /// To be followed by [#send] where it is taken.
    ///
    /// @return false where too many wait already
    synchronized boolean add(Waiting asked) {
        return waiting.size() < MOST_WAITING && waiting.add(asked);
    }

    synchronized boolean isIdle() {
        return !underWay && waiting.isEmpty();
    }

    void send() {
        if (steps.getAndIncrement() > 0) {
            return;
        }
        int done;
        do {
            done = steps.get();
            sendNext();
        } while (steps.addAndGet(-done) > 0);
    }

    private void sendNext() {
        var batch = next();
        if (batch == null) {
            if (isIdle()) {
                idle.run();
            }
            return;
        }
        sent(batch).whenComplete((response, failure) -> {
            synchronized (this) {
                underWay = false;
            }
            answer(batch, response, failure);
            send();
        });
    }

    private CompletableFuture<AddPartitionsToTxnResponseData> sent(List<Waiting> batch) {
        try {
            return channel.ask(coordinator, Asked.request(batch.stream().map(Waiting::question).toList()),
                    MOST_PATIENCE);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
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
