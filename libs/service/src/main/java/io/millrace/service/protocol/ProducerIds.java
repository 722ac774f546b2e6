package io.millrace.service.protocol;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import io.millrace.metadata.command.AllocateProducerIds;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Producer ids out of blocks that the controller gives to this node alone. The next block is asked for when a tenth of
/// the present one is left, so that producers seldom wait. Callable from any thread.
///
/// The lock guards the blocks and the waiters: requests come on every event loop, and what they do here is a few
/// instructions.
@Slf4j
public final class ProducerIds {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_WAITERS = 10_000;
    private static final int PREFETCH_PART = 10;

    private final ControllerClient controller;
    private final int nodeId;
    private final LongSupplier nodeEpoch;
    private final Queue<CompletableFuture<Long>> waiters = new ArrayDeque<>();
    private Block current = Block.EMPTY;
    private @Nullable Block following;
    private boolean asked;

    /// @param nodeEpoch of this node's present registration
    public ProducerIds(ControllerClient controller, int nodeId, LongSupplier nodeEpoch) {
        this.controller = controller;
        this.nodeId = nodeId;
        this.nodeEpoch = nodeEpoch;
    }

    /// An id that nobody else has or had. Fails with COORDINATOR_LOAD_IN_PROGRESS, after which clients ask again, where
    /// the controller gives none.
    public CompletableFuture<Long> next() {
        boolean ask;
        CompletableFuture<Long> answer;
        synchronized (this) {
            if (current.isEmpty() && following != null) {
                current = following;
                following = null;
            }
            answer = take();
            ask = !asked && following == null && current.left() <= current.size() / PREFETCH_PART;
            asked |= ask;
        }
        if (ask) {
            ask();
        }
        return answer;
    }

    private CompletableFuture<Long> take() {
        if (!current.isEmpty()) {
            long id = current.next();
            current = current.rest();
            return CompletableFuture.completedFuture(id);
        }
        if (waiters.size() >= MAX_WAITERS) {
            return CompletableFuture.failedFuture(refusal());
        }
        var waiter = new CompletableFuture<Long>();
        waiters.add(waiter);
        return waiter;
    }

    private void ask() {
        controller.send(new AllocateProducerIds(nodeId, nodeEpoch.getAsLong()), TIMEOUT)
                .whenComplete((given, failure) -> {
                    if (failure == null) {
                        add(new Block(given.first(), given.first(), given.first() + given.count()));
                    } else {
                        log.warn("no producer ids from the controller node={} reason={}", nodeId, failure.toString());
                        failWaiters();
                    }
                });
    }

    private void add(Block block) {
        record Answer(CompletableFuture<Long> waiter, long id) {}
        List<Answer> answers = new ArrayList<>();
        boolean again;
        synchronized (this) {
            asked = false;
            if (current.isEmpty()) {
                current = block;
            } else {
                following = block;
            }
            while (!current.isEmpty()) {
                var waiter = waiters.poll();
                if (waiter == null) {
                    break;
                }
                answers.add(new Answer(waiter, current.next()));
                current = current.rest();
            }
            again = !waiters.isEmpty();
            asked = again;
        }
        answers.forEach(answer -> answer.waiter().complete(answer.id()));
        if (again) {
            ask();
        }
    }

    private void failWaiters() {
        List<CompletableFuture<Long>> failed;
        synchronized (this) {
            asked = false;
            failed = new ArrayList<>(waiters);
            waiters.clear();
        }
        failed.forEach(waiter -> waiter.completeExceptionally(refusal()));
    }

    private static Refused refusal() {
        return new Refused(Errors.COORDINATOR_LOAD_IN_PROGRESS, "no producer ids from the controller yet");
    }

    /// Ids from `next` to `end`, exclusive, of a block that began at `first`.
    private record Block(long first, long next, long end) {
        static final Block EMPTY = new Block(0, 0, 0);

        boolean isEmpty() {
            return next >= end;
        }

        long left() {
            return end - next;
        }

        long size() {
            return end - first;
        }

        Block rest() {
            return new Block(first, next + 1, end);
        }
    }
}
