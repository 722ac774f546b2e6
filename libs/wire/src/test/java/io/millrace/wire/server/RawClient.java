package io.millrace.wire.server;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;

import io.millrace.wire.codec.Messages;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/// A client that sends whatever bytes a test likes.
public final class RawClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket;
    private final DataInputStream input;

    public RawClient(InetSocketAddress address) throws IOException {
        socket = new Socket();
        socket.connect(address, TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        input = new DataInputStream(socket.getInputStream());
    }

    Socket socket() {
        return socket;
    }

    public RawClient send(byte... bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    public RawClient send(ApiMessage request, int version, int correlationId) throws IOException {
        return send(frame(request, version, correlationId));
    }

    /// A whole request, size included.
    public static byte[] frame(ApiMessage request, int version, int correlationId) {
        var parts = Messages.writeRequest(request, (short) version, correlationId, "raw",
                UnpooledByteBufAllocator.DEFAULT);
        var whole = Unpooled.wrappedBuffer(parts.stream().map(ByteBuf.class::cast).toArray(ByteBuf[]::new));
        try {
            var bytes = new byte[whole.readableBytes()];
            whole.readBytes(bytes);
            return bytes;
        } finally {
            whole.release();
        }
    }

    /// The next answer, without its size.
    public ByteBuffer receive() throws IOException {
        var bytes = new byte[input.readInt()];
        input.readFully(bytes);
        return ByteBuffer.wrap(bytes);
    }

    /// The next answer, which is a `type` in `version` to the request `correlationId`.
    public <A extends ApiMessage> A receive(Class<A> type, int version, int correlationId) throws IOException {
        try {
            var api = ApiKeys.forId(type.getConstructor().newInstance().apiKey());
            return type.cast(Messages.readAnswer(api, (short) version, correlationId, receive()));
        } catch (ReflectiveOperationException noMessage) {
            throw new IllegalArgumentException(noMessage);
        }
    }

    /// Whether the server ends the connection, without sending anything before.
    public boolean isEnded() throws IOException {
        try {
            return input.read() < 0;
        } catch (EOFException | SocketException _) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
