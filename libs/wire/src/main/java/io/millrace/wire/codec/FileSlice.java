package io.millrace.wire.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;

import io.millrace.base.check.Check;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.RecordsSend;

/// Records that lie in a file and go to the socket from there. Put into an answer by a handler; from then on the
/// connection releases it, once, whether it was sent, failed, or the connection died.
public final class FileSlice implements BaseRecords {
    private static final VarHandle RELEASED = released();

    private final FileChannel channel;
    private final long position;
    private final int size;
    private final Runnable release;

    @SuppressWarnings("unused") // by RELEASED
    private volatile boolean released;

    /// @param channel stays open until `release` ran, and is not closed by it
    /// @param position of the first byte in the file
    /// @param size in bytes; zero is allowed
    /// @param release gives back what keeps the file there; runs once, on any thread, and must not block
    public FileSlice(FileChannel channel, long position, int size, Runnable release) {
        Check.argument(position >= 0 && size >= 0, "slice of %d bytes at %d", size, position);
        this.channel = channel;
        this.position = position;
        this.size = size;
        this.release = release;
    }

    private static VarHandle released() {
        try {
            return MethodHandles.lookup().findVarHandle(FileSlice.class, "released", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /// Owned by the file: read from it by position only, and never close it.
    public FileChannel channel() {
        return channel;
    }

    /// Of the first byte in the file.
    public long position() {
        return position;
    }

    @Override
    public int sizeInBytes() {
        return size;
    }

    /// Gives the file back; harmless when repeated. Handlers call it only for a slice that they do not put in an answer.
    public void release() {
        if (RELEASED.compareAndSet(this, false, true)) {
            release.run();
        }
    }

    /// Releases all slices of an answer that will not be sent.
    public static void releaseAll(ApiMessage answer) {
        if (answer instanceof FetchResponseData fetched) {
            for (var topic : fetched.responses()) {
                for (var partition : topic.partitions()) {
                    if (partition.records() instanceof FileSlice slice) {
                        slice.release();
                    }
                }
            }
        }
    }

    /// @throws UnsupportedOperationException always: Kafka's own way to send is not ours
    @Override
    public RecordsSend<? extends BaseRecords> toSend() {
        throw new UnsupportedOperationException("a file slice is sent as a region");
    }

    @Override
    public String toString() {
        return "FileSlice(position=" + position + ", size=" + size + ")";
    }
}
