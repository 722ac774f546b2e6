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

/// The present image and the last deltas, encoded once for all subscribers. The lock guards the reference counts: a frame is
/// not given back while another thread takes a duplicate of it. Nothing inside waits for anything.
final class Backlog {
    private final int maxVersions;
    private final int maxBytes;
    private final Deque<Encoded> deltas = new ArrayDeque<>();
    private ClusterImage image = ClusterImage.EMPTY;
    private @Nullable ByteBuf snapshot;
    private int bytes;

    private record Encoded(MetadataVersion from, MetadataVersion to, ByteBuf frame) {}

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
        dropSnapshot();
        var frame = Frames.direct(new StreamMessage.Change(delta));
        deltas.addLast(new Encoded(delta.from(), delta.to(), frame));
        bytes += frame.readableBytes();
        image = after;
        while (deltas.size() > maxVersions || bytes > maxBytes) {
            dropEldest();
        }
    }

    /// What leads on from `sent`: the delta after it where it is still here, else a snapshot; null where nothing does.
    synchronized @Nullable Next next(MetadataVersion sent) {
        if (sent.equals(image.version())) {
            return null;
        }
        for (Iterator<Encoded> newest = deltas.descendingIterator(); newest.hasNext();) {
            var delta = newest.next();
            if (delta.from().equals(sent)) {
                return new Next(delta.to(), delta.frame().retainedDuplicate(), false);
            }
        }
        if (snapshot == null) {
            snapshot = Frames.direct(new StreamMessage.Whole(Snapshot.of(image)));
        }
        return new Next(image.version(), snapshot.retainedDuplicate(), true);
    }

    private void dropEldest() {
        var eldest = deltas.removeFirst();
        bytes -= eldest.frame().readableBytes();
        eldest.frame().release();
    }

    private void dropSnapshot() {
        if (snapshot != null) {
            snapshot.release();
            snapshot = null;
        }
    }
}
