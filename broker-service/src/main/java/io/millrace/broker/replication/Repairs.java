package io.millrace.broker.replication;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

import io.millrace.base.loop.Loop;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;

/// Cuts logs, which blocks on the disk, away from the loop; what came of it returns there.
@Slf4j
record Repairs(Executor disks, Loop loop) {

    /// What is done to one log.
    @FunctionalInterface
    interface Repair {
        /// @return whether it changed anything
        boolean run();
    }

    /// @param then told on the loop: taken, refused, or that the storage failed
    void run(FollowedPartition partition, String why, Repair repair, Consumer<Answer> then) {
        long before = partition.logEndOffset();
        try {
            disks.execute(() -> {
                var outcome = attempt(partition, repair);
                log.info("log repaired partition={} reason=\"{}\" from={} to={} outcome={}", partition, why, before,
                        partition.logEndOffset(), outcome);
                tell(() -> then.accept(outcome));
            });
        } catch (RejectedExecutionException closing) {
            log.debug("no repair while stopping partition={} reason={}", partition, closing.toString());
        }
    }

    private static Answer attempt(FollowedPartition partition, Repair repair) {
        try {
            return repair.run()
                    ? new Answer.Taken(0, true)
                    : new Answer.Refused(Errors.UNKNOWN_SERVER_ERROR, "nothing could be cut where the leader said");
        } catch (Refused refused) {
            var reason = String.valueOf(refused.getMessage());
            return refused.error() == Errors.KAFKA_STORAGE_ERROR
                    ? new Answer.StorageFailed(reason)
                    : new Answer.Refused(refused.error(), reason);
        } catch (RuntimeException bug) {
            log.error("repair failed partition={}", partition, bug);
            return new Answer.Refused(Errors.UNKNOWN_SERVER_ERROR, bug.toString());
        }
    }

    private void tell(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException ended) {
            log.debug("the loop ended before a repair did reason={}", ended.toString());
        }
    }
}
