package io.millrace.broker.transaction;

import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Deadline;
import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;

/// Asks coordinators whether partitions are in transactions. Questions for one coordinator go together: while one request is
/// under way, the next one gathers. Any thread may call.
@Slf4j
public final class TransactionChecks {
    /// A coordinator that is still ending the transaction before is asked again for so long, as in Kafka.
    private static final Duration PATIENCE = Duration.ofMillis(100);
    private static final Duration REST = Duration.ofMillis(5);
    private static final double NANOS_IN_MILLI = 1e6;
    private static final long MOST_KEPT_BYTES = 128 << 20;

    private final CoordinatorChannel channel;
    private final BooleanSupplier verifies;
    private final Ticker ticker;
    private final DistributionSummary time;
    private final Counter failures;
    private final AtomicLong keptBytes = new AtomicLong();
    private final ProducerTurns turns = new ProducerTurns();
    private final QuestionQueues queues;

    /// @param verifies `transaction.partition.verification.enable`, as it is now
    public TransactionChecks(CoordinatorChannel channel, BooleanSupplier verifies, Ticker ticker,
            MeterRegistry registry) {
        this.channel = channel;
        queues = new QuestionQueues(channel);
        this.verifies = verifies;
        this.ticker = ticker;
        time = DistributionSummary.builder("kafka.server.addpartitionstotxnmanager.verificationtimems").register(
                registry);
        failures = Counter.builder("kafka.server.addpartitionstotxnmanager.verificationfailures").register(registry);
    }

    /// Whether coordinators are asked before a transaction begins in a partition.
    public boolean verifies() {
        return verifies.getAsBoolean();
    }

    /// In which requests that wait for coordinators are decided.
    public ProducerTurns turns() {
        return turns;
    }

    /// Takes room for bytes that are kept while someone is asked, to be followed by [#kept].
    ///
    /// @return false where there is none
    public boolean keep(int bytes) {
        if (keptBytes.addAndGet(bytes) <= MOST_KEPT_BYTES) {
            return true;
        }
        keptBytes.addAndGet(-bytes);
        return false;
    }

    /// Gives the room back.
    public void kept(int bytes) {
        keptBytes.addAndGet(-bytes);
    }

    /// Asks.
    ///
    /// @param timeout after which the answer is of no use
    /// @return completes on `loop`, never within this call, with the coordinator's word for each partition asked for:
    ///         REQUEST_TIMED_OUT and COORDINATOR_NOT_AVAILABLE where there is none. Does not fail
    public CompletableFuture<CoordinatorAnswer> ask(Question question, Duration timeout, Loop loop) {
        var result = new CompletableFuture<CoordinatorAnswer>();
        long began = ticker.nanos();
        var asking = new Asking(question, Deadline.in(timeout, ticker), Deadline.in(PATIENCE, ticker), loop, result);
        var timer = loop.schedule(timeout, () -> result.complete(CoordinatorAnswer.all(question.partitions(),
                Errors.REQUEST_TIMED_OUT)));
        result.whenComplete((answer, _) -> {
            timer.cancel();
            time.record((ticker.nanos() - began) / NANOS_IN_MILLI);
            var errors = answer.errors().values();
            failures.increment((double) errors.size() - Collections.frequency(errors, Errors.NONE));
        });
        asking.ask();
        return result;
    }

    /// One question until it is answered.
    private final class Asking {
        private final Question question;
        private final Deadline deadline;
        private final Deadline patience;
        private final Loop loop;
        private final CompletableFuture<CoordinatorAnswer> result;

        Asking(Question question, Deadline deadline, Deadline patience, Loop loop,
                CompletableFuture<CoordinatorAnswer> result) {
            this.question = question;
            this.deadline = deadline;
            this.patience = patience;
            this.loop = loop;
            this.result = result;
        }

        void ask() {
            var coordinator = channel.coordinatorOf(question.transactionalId());
            var answer = coordinator.isEmpty()
                    ? CompletableFuture.completedFuture(CoordinatorAnswer.all(question.partitions(),
                            Errors.COORDINATOR_NOT_AVAILABLE))
                    : queues.ask(coordinator.get(), question, deadline);
            answer.thenAccept(told -> onLoop(() -> answered(told)));
        }

        private void answered(CoordinatorAnswer answer) {
            if (result.isDone()) {
                return;
            }
            if (question.adds() && answer.errors().containsValue(Errors.CONCURRENT_TRANSACTIONS) && !patience
                    .passed()) {
                loop.schedule(REST, this::ask);
                return;
            }
            result.complete(answer);
        }

        private void onLoop(Runnable task) {
            try {
                loop.execute(task);
            } catch (RejectedExecutionException _) {
                log.debug("nobody waits for an answer any more, the loop has ended transactionalId={}", question
                        .transactionalId());
            }
        }
    }
}
