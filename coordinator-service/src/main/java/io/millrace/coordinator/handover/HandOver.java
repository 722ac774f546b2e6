package io.millrace.coordinator.handover;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.millrace.base.loop.Deadline;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardKind;
import io.millrace.wire.error.Failures;
import lombok.extern.slf4j.Slf4j;

/// Gives the shards of this coordinator away before it stops: others read along, and it serves until each of them is ready.
/// Whatever comes of it, it stops in the end, and what is left is loaded by others once its registration is gone.
@Slf4j
public final class HandOver {
    /// A stop is bounded, whoever does not answer.
    private static final Duration MOST = Duration.ofSeconds(15);
    private static final Duration ANSWER_WAIT = Duration.ofSeconds(2);
    /// A controller that took over knows nothing of what was asked of the one before it.
    private static final Duration ASKED_EACH = Duration.ofSeconds(3);
    private static final int MOST_FAILURES = 2;

    private final int coordinator;
    private final boolean enabled;
    private final ControllerClient controller;
    private final LongSupplier nodeEpoch;
    private final Metadata metadata;
    private final Ticker ticker;

    /// What this node knows of the cluster.
    public interface Metadata {
        /// The newest image.
        ClusterImage image();

        /// Completes once `condition` holds, or fails when the time is up.
        CompletableFuture<Void> await(Predicate<ClusterImage> condition, Duration atMost);
    }

    /// @param enabled `controlled.shutdown.enable`
    /// @param nodeEpoch of this coordinator's registration
    public HandOver(int coordinator, boolean enabled, ControllerClient controller, LongSupplier nodeEpoch,
            Metadata metadata,
            Ticker ticker) {
        this.coordinator = coordinator;
        this.enabled = enabled;
        this.controller = controller;
        this.nodeEpoch = nodeEpoch;
        this.metadata = metadata;
        this.ticker = ticker;
    }

    /// Blocks until it owns nothing, or nobody can take what it owns, or it was tried in vain for long enough.
    ///
    /// @return whether it owns nothing
    public boolean run() throws InterruptedException {
        var deadline = Deadline.in(MOST, ticker);
        int failures = 0;
        while (enabled && owned(metadata.image()) > 0 && failures < MOST_FAILURES && !deadline.passed()) {
            try {
                if (nobodyTakesThem()) {
                    break;
                }
                awaitNone(deadline.remaining());
            } catch (ExecutionException | TimeoutException failure) {
                failures++;
                log.warn("not handed over coordinator={} reason={}", coordinator, Failures.cause(failure).toString());
            }
        }
        long left = owned(metadata.image());
        log.info("handed over coordinator={} left={}", coordinator, left);
        return left == 0;
    }

    private boolean nobodyTakesThem() throws InterruptedException, ExecutionException, TimeoutException {
        var command = new ControlledShutdown(Role.COORDINATOR, coordinator, nodeEpoch.getAsLong());
        var result = controller.send(command, ANSWER_WAIT).get(ANSWER_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        return result.remaining() > 0 && result.remaining() >= owned(metadata.image());
    }

    private void awaitNone(Duration remaining) throws InterruptedException {
        var wait = remaining.compareTo(ASKED_EACH) < 0 ? remaining : ASKED_EACH;
        try {
            metadata.await(image -> owned(image) == 0, wait).get(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException late) {
            log.debug("still handing over coordinator={}", coordinator, late);
        }
    }

    private long owned(ClusterImage image) {
        return Arrays.stream(ShardKind.values()).mapToInt(kind -> image.shards(kind).ownedBy(coordinator).size()).sum();
    }
}
