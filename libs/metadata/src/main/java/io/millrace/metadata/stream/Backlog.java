package io.millrace.metadata.stream;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.record.Delta;
import io.millrace.metadata.record.Snapshot;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/// The present image and the last deltas, encoded once for all subscribers; also a snapshot, which serves whoever asked before
/// the image went on: brokers delete what a first image does not name, so none is older than the question. The lock guards
/// the reference counts: a frame is not given back while another thread takes a duplicate of it. Nothing inside waits for
/// anything. A second lock sees to it that only one thread encodes a snapshot; others that want one wait for it, and whoever
/// publishes does not.
final class Backlog {
    private final int maxVersions;
    private final int maxBytes;
    private final Deque<Encoded> deltas = new ArrayDeque<>();
    private ClusterImage image = ClusterImage.EMPTY;
    private final Object encoding = new Object();
    private @Nullable Whole snapshot;
    private int bytes;

    private record Encoded(MetadataVersion from, MetadataVersion to, ByteBuf frame) {}

    private record Whole(MetadataVersion version, ByteBuf frame) {}

    /// What to send next; whoever gets it releases the frame.
    ///
    /// @param to the version that the subscriber then has
    record Next(MetadataVersion to, ByteBuf frame, boolean isSnapshot) {}

    Backlog(int maxVersions, int maxBytes) {
        this.maxVersions = maxVersions;
        this.maxBytes = maxBytes;
    }

    synchronized MetadataVersion version() {
        return image.version();
    }

    /// Starts anew, without any delta.
    synchronized void reset(ClusterImage present) {
        dropSnapshot();
        while (!deltas.isEmpty()) {
            dropEldest();
        }
        image = present;
    }

    synchronized void append(Delta delta, ClusterImage after) {
        var frame = Frames.direct(new StreamMessage.Change(delta));
        deltas.addLast(new Encoded(delta.from(), delta.to(), frame));
        bytes += frame.readableBytes();
        image = after;
        while (deltas.size() > maxVersions || bytes > maxBytes) {
            dropEldest();
        }
        if (snapshot != null && !leadsOn(snapshot.version())) {
            dropSnapshot();
        }
    }

    /// What leads on from `sent`: the delta after it where it is still here, else a snapshot; null where nothing does.
    @Nullable
    Next next(MetadataVersion sent) {
        MetadataVersion asked;
        synchronized (this) {
            asked = image.version();
            if (sent.equals(image.version())) {
                return null;
            }
            var delta = from(sent);
            if (delta != null) {
                return new Next(delta.to(), delta.frame().retainedDuplicate(), false);
            }
            if (snapshot != null && snapshot.version().equals(asked)) {
                return next(snapshot);
            }
        }
        synchronized (encoding) {
            ClusterImage present;
            synchronized (this) {
                if (snapshot != null && snapshot.version().reaches(asked)) {
                    return next(snapshot);
                }
                present = image;
            }
            var whole = new Whole(present.version(), Frames.direct(new StreamMessage.Whole(Snapshot.of(present))));
            synchronized (this) {
                if (leadsOn(whole.version())) {
                    dropSnapshot();
                    snapshot = whole;
                    return next(whole);
                }
            }
            // Nobody needs it any more but the one who asked.
            return new Next(whole.version(), whole.frame(), true);
        }
    }

    private static Next next(Whole whole) {
        return new Next(whole.version(), whole.frame().retainedDuplicate(), true);
    }

    private boolean leadsOn(MetadataVersion version) {
        return version.equals(image.version()) || from(version) != null;
    }

    private @Nullable Encoded from(MetadataVersion version) {
        for (Iterator<Encoded> newest = deltas.descendingIterator(); newest.hasNext();) {
            var delta = newest.next();
            if (delta.from().equals(version)) {
                return delta;
            }
        }
        return null;
    }

    private void dropEldest() {
        var eldest = deltas.removeFirst();
        bytes -= eldest.frame().readableBytes();
        eldest.frame().release();
    }

    private void dropSnapshot() {
        if (snapshot != null) {
            snapshot.frame().release();
            snapshot = null;
        }
    }
}
