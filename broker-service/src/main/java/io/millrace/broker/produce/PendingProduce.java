package io.millrace.broker.produce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.broker.produce.AckMailboxes.Mailbox;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.ProduceResponseData;
import org.jspecify.annotations.Nullable;

/// One request some of whose batches wait for the in-sync replicas, or for a coordinator's word; it is answered once all are there, refused, or its time
/// is over. On the connection's event loop, but for [#mailbox].
final class PendingProduce {
    private final Mailbox mailbox;
    private final ReplicationWaits waits;
    private final ProduceResponseData response;
    private final BiConsumer<PartWait, Throwable> failed;
    private final CompletableFuture<ProduceResponseData> answer = new CompletableFuture<>();
    private final List<PartWait> waiting = new ArrayList<>(1);
    private @Nullable Timeout deadline;
    private int missing;
    private boolean expired;

    /// @param response complete but for errors of batches that wait
    /// @param failed notes why a batch failed in the response
    PendingProduce(Mailbox mailbox, ReplicationWaits waits, ProduceResponseData response,
            BiConsumer<PartWait, Throwable> failed) {
        this.mailbox = mailbox;
        this.waits = waits;
        this.response = response;
        this.failed = failed;
    }

    Mailbox mailbox() {
        return mailbox;
    }

    /// The batch of `wait` was appended, and has joined those who wait.
    void add(PartWait wait) {
        waiting.add(wait);
        missing++;
        if (!waits.enter() && wait.cancel()) {
            end(wait, new TimeoutException("too many batches wait"));
        }
    }

    /// Some batches are still to be appended, or refused: [#decided] will be called, and not before [#await].
    void undecided() {
        missing++;
    }

    /// They were.
    void decided() {
        missing--;
        answerOnceComplete();
    }

    /// Whether its time is over, so that nothing more is to be appended.
    boolean expired() {
        return expired;
    }

    /// The answer; to be called once all batches were appended, or are known to be undecided. Whoever cancels it ends the waits, on the loop.
    CompletableFuture<ProduceResponseData> await(Loop loop, Duration atMost) {
        if (missing == 0) {
            answer.complete(response);
        } else {
            deadline = loop.schedule(atMost, this::expire);
            answer.whenComplete((_, _) -> {
                if (answer.isCancelled()) {
                    expire();
                }
            });
        }
        return answer;
    }

    /// The wait of one batch is over.
    ///
    /// @param refused null where all in-sync replicas have it
    void over(PartWait wait, @Nullable Refused refused) {
        end(wait, refused);
        answerOnceComplete();
    }

    /// Batches whose wait is just over are on their way here, and the answer waits for them.
    private void expire() {
        expired = true;
        for (var wait : waiting) {
            if (wait.cancel()) {
                end(wait, wait.expired());
            }
        }
        answerOnceComplete();
    }

    private void answerOnceComplete() {
        if (missing == 0 && deadline != null) {
            deadline.cancel();
            answer.complete(response);
        }
    }

    private void end(PartWait wait, @Nullable Throwable failure) {
        waits.leave();
        missing--;
        if (failure != null) {
            failed.accept(wait, failure);
        }
    }
}
