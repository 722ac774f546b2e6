package io.millrace.broker.partition;

import io.millrace.broker.partition.HeldRole.Changed;
import io.millrace.broker.partition.LeaderState.Moved;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// Tells those who wait what became of a partition: producers that their batches are replicated, readers that there is more,
/// the broker that a role changed, and whoever asks the controller that there is something to ask.
///
/// Any thread may call, with no lock held, since those who are told hand on at once, and may come back for more.
final class Announcements {
    private final HeldRole held;
    private final LeaderContext context;
    private final Runnable propose;
    private final Progress visible = new Progress();
    private final Progress stable = new Progress();
    private final Progress logEnd = new Progress();
    private final HiddenBytes hidden;

    /// @param propose tells that the leader has an ISR to propose
    Announcements(HeldRole held, LeaderContext context, Runnable propose) {
        this.held = held;
        this.context = context;
        this.propose = propose;
        var log = held.log();
        this.hidden = new HiddenBytes(log == null ? 0 : log.lastStableOffset());
    }

    /// Who waits for more within `limit`.
    Progress progress(ReadLimit limit) {
        return switch (limit) {
            case LOG_END -> logEnd;
            case HIGH_WATERMARK -> visible;
            case LAST_STABLE -> stable;
        };
    }

    /// The log has so many bytes more.
    void appended(long bytes) {
        logEnd.advanced(bytes);
    }

    /// The high watermark has passed about so many bytes.
    void replicated(long bytes) {
        visible.advanced(bytes);
        var log = held.log();
        if (log != null) {
            // In this order: a last stable offset that moves meanwhile is told of with the next high watermark.
            long highWatermark = log.highWatermark();
            long shown = hidden.shown(Math.min(log.lastStableOffset(), highWatermark), highWatermark, bytes);
            if (shown > 0) {
                stable.advanced(shown);
            }
        }
    }

    /// What was read before no longer holds: the log was cut, or begins elsewhere, or the role changed.
    void changed() {
        var log = held.log();
        if (log != null) {
            hidden.reset(log.lastStableOffset());
        }
        visible.changed();
        stable.changed();
        logEnd.changed();
    }

    /// What the leader's state came to.
    ///
    /// Where the ISR has become too small since the high watermark was raised, nobody can say that the batches will stay.
    void moved(LeaderState reign, Moved moved) {
        if (moved.raised()) {
            reign.acks().replicas().release(held.durability().enough(reign.mostInSync())
                    ? null
                    : new Refused(Errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND, "partition=%s %s".formatted(held.id(), held
                            .now())));
            replicated(moved.bytes());
        }
        if (moved.proposes()) {
            propose.run();
        }
    }

    /// What a change of the role, or of the ISR, came to.
    void changed(Changed change) {
        if (change.differs()) {
            context.roles().changed(change.before(), change.after());
        }
        var reign = change.reign();
        var moved = change.moved();
        if (reign != null && moved != null) {
            moved(reign, moved);
        }
        if (change.differs()) {
            changed();
        }
    }
}
