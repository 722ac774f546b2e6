package io.millrace.metadata.stream;

import java.util.ArrayList;
import java.util.List;

import io.millrace.metadata.encoding.MalformedMessage;
import io.netty.buffer.ByteBuf;

/// Cuts what arrives into frames: four bytes of length, then as many. Not thread-safe.
final class FrameReader {
    private final int maxBytes;
    private final byte[] header = new byte[Frames.HEADER_BYTES];
    private int headerBytes;
    private byte[] frame = new byte[0];
    private int frameBytes;

    /// @param maxBytes of one frame
    FrameReader(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// The frames that end in `arrived`, which is not released.
    ///
    /// @throws MalformedMessage where a frame is longer than allowed
    List<byte[]> read(ByteBuf arrived) {
        var frames = new ArrayList<byte[]>();
        while (arrived.isReadable()) {
            if (headerBytes < Frames.HEADER_BYTES) {
                readHeader(arrived);
            } else {
                int count = Math.min(arrived.readableBytes(), frame.length - frameBytes);
                arrived.readBytes(frame, frameBytes, count);
                frameBytes += count;
            }
            if (headerBytes == Frames.HEADER_BYTES && frameBytes == frame.length) {
                frames.add(frame);
                headerBytes = 0;
            }
        }
        return frames;
    }

    private void readHeader(ByteBuf arrived) {
        header[headerBytes++] = arrived.readByte();
        if (headerBytes < Frames.HEADER_BYTES) {
            return;
        }
        int length = 0;
        for (byte part : header) {
            length = length << Byte.SIZE | Byte.toUnsignedInt(part);
        }
        if (length < 0 || length > maxBytes) {
            throw new MalformedMessage("frame of " + length + " bytes, allowed are " + maxBytes);
        }
        frame = new byte[length];
        frameBytes = 0;
    }
}
