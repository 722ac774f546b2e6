package io.millrace.broker;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;

import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/// A client that sends just what a test says, over one socket.
final class RawConnection implements AutoCloseable {
    private static final int READ_TIMEOUT_MILLIS = 30_000;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private String clientId = "raw";
    private int correlation;

    RawConnection(InetSocketAddress address) throws IOException {
        socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    RawConnection as(String client) {
        clientId = client;
        return this;
    }

    /// Sends a request and does not wait.
    void send(ApiMessage request, int version) throws IOException {
        var api = ApiKeys.forId(request.apiKey());
        short headerVersion = api.requestHeaderVersion((short) version);
        var header = new RequestHeaderData().setRequestApiKey(api.id)
                .setRequestApiVersion((short) version)
                .setClientId(clientId)
                .setCorrelationId(++correlation);
        var cache = new ObjectSerializationCache();
        int size = header.size(cache, headerVersion) + request.size(cache, (short) version);
        var frame = ByteBuffer.allocate(size);
        header.write(new ByteBufferAccessor(frame), cache, headerVersion);
        request.write(new ByteBufferAccessor(frame), cache, (short) version);
        out.writeInt(size);
        out.write(frame.array());
        out.flush();
    }

    /// Reads the answer to the next request that waits for one.
    ///
    /// @param into an empty answer of the right kind
    <A extends ApiMessage> A receive(A into, int version) throws IOException {
        int size = in.readInt();
        var frame = new byte[size];
        in.readFully(frame);
        var readable = new ByteBufferAccessor(ByteBuffer.wrap(frame));
        var api = ApiKeys.forId(into.apiKey());
        new ResponseHeaderData().read(readable, api.responseHeaderVersion((short) version));
        into.read(readable, (short) version);
        return into;
    }

    <A extends ApiMessage> A call(ApiMessage request, A into, int version) throws IOException {
        send(request, version);
        return receive(into, version);
    }

    /// Whether the other end closes the connection without a single byte.
    boolean closedSilently() throws IOException {
        try {
            in.readByte();
            return false;
        } catch (EOFException | SocketException _) {
            return true;
        }
    }

    /// Ends the connection as a process that was killed does: by a reset, which cannot be taken for a half-closed socket.
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
