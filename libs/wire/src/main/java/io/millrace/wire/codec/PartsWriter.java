package io.millrace.wire.codec;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.ReferenceCounted;
import org.apache.kafka.common.protocol.Writable;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;

/// Writes a message into one buffer and cuts it wherever records come: they become parts of their own, uncopied.
final class PartsWriter implements Writable {
    private final ByteBuf buffer;
    private final List<ReferenceCounted> parts = new ArrayList<>(1);
    private int cut;

    /// @param buffer with room for all but the records; this writer's from now on
    PartsWriter(ByteBuf buffer) {
        this.buffer = buffer;
    }

    /// All that was written, in order; the caller releases each part.
    List<ReferenceCounted> finish() {
        if (parts.isEmpty()) {
            parts.add(buffer);
            return parts;
        }
        cut();
        buffer.release();
        return parts;
    }

    /// Releases what was written.
    void abandon() {
        parts.forEach(ReferenceCounted::release);
        buffer.release();
    }

    @Override
    public void writeRecords(BaseRecords records) {
        switch (records) {
            case FileSlice slice when slice.sizeInBytes() == 0 -> slice.release();
            case FileSlice slice -> add(new SliceRegion(slice));
            case MemoryRecords memory -> writeByteBuffer(memory.buffer());
            default -> throw new IllegalArgumentException("cannot be sent: " + records.getClass());
        }
    }

    @Override
    public void writeByteBuffer(ByteBuffer bytes) {
        if (bytes.hasRemaining()) {
            add(Unpooled.wrappedBuffer(bytes));
        }
    }

    private void add(ReferenceCounted part) {
        cut();
        parts.add(part);
    }

    private void cut() {
        int end = buffer.writerIndex();
        if (end > cut) {
            parts.add(buffer.retainedSlice(cut, end - cut));
            cut = end;
        }
    }

    @Override
    public void writeByte(byte value) {
        buffer.writeByte(value);
    }

    @Override
    public void writeShort(short value) {
        buffer.writeShort(value);
    }

    @Override
    public void writeInt(int value) {
        buffer.writeInt(value);
    }

    @Override
    public void writeLong(long value) {
        buffer.writeLong(value);
    }

    @Override
    public void writeDouble(double value) {
        buffer.writeDouble(value);
    }

    @Override
    public void writeByteArray(byte[] value) {
        buffer.writeBytes(value);
    }

    @Override
    public void writeUnsignedVarint(int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            buffer.writeByte((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        buffer.writeByte(rest);
    }

    @Override
    public void writeVarint(int value) {
        writeUnsignedVarint(value << 1 ^ value >> 31);
    }

    @Override
    public void writeVarlong(long value) {
        long rest = value << 1 ^ value >> 63;
        while ((rest & ~0x7FL) != 0) {
            buffer.writeByte((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        buffer.writeByte((int) rest);
    }
}
