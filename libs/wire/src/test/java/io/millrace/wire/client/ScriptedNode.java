package io.millrace.wire.client;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/// A node that tells its versions as asked, and then does to each request what a test says.
final class ScriptedNode implements AutoCloseable {

    /// What becomes of a request after the negotiation.
    interface Behaviour {
        void request(Socket socket, int correlationId, ByteBuffer frame) throws IOException;
    }

    private final ServerSocket server;
    private final Behaviour behaviour;
    private final int maxApiVersions;
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();

    /// @param maxApiVersions the highest ApiVersions version that the node knows
    ScriptedNode(int maxApiVersions, Behaviour behaviour) throws IOException {
        this.maxApiVersions = maxApiVersions;
        this.behaviour = behaviour;
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    NodeAddress address() {
        return new NodeAddress("127.0.0.1", server.getLocalPort());
    }

    int connections() {
        return connections.get();
    }

    private void accept() {
        try {
            while (true) {
                var socket = server.accept();
                accepted.add(socket);
                connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            assert server.isClosed() : closed;
        }
    }

    private void serve(Socket socket) {
        try (socket; var input = new DataInputStream(socket.getInputStream())) {
            while (true) {
                var bytes = new byte[input.readInt()];
                input.readFully(bytes);
                var frame = ByteBuffer.wrap(bytes);
                int correlationId = frame.getInt(4);
                if (frame.getShort(0) == ApiKeys.API_VERSIONS.id) {
                    tellVersions(socket, frame.getShort(2), correlationId);
                } else {
                    behaviour.request(socket, correlationId, frame);
                }
            }
        } catch (IOException _) {
            // The client has gone, or the test has ended this connection.
        }
    }

    private void tellVersions(Socket socket, short version, int correlationId) throws IOException {
        var known = new ApiVersionsResponseData();
        known.apiKeys().add(new ApiVersion().setApiKey(ApiKeys.API_VERSIONS.id).setMaxVersion((short) maxApiVersions));
        known.apiKeys().add(new ApiVersion().setApiKey(ApiKeys.HEARTBEAT.id).setMaxVersion((short) 2));
        known.apiKeys().add(new ApiVersion().setApiKey((short) 30_000).setMaxVersion((short) 2));
        if (version > maxApiVersions) {
            answer(socket, known.setErrorCode((short) 35), (short) 0, correlationId);
        } else {
            answer(socket, known, version, correlationId);
        }
    }

    static void answer(Socket socket, ApiMessage answer, short version, int correlationId) throws IOException {
        var header = new ResponseHeaderData().setCorrelationId(correlationId);
        short headerVersion = ApiKeys.forId(answer.apiKey()).responseHeaderVersion(version);
        var cache = new ObjectSerializationCache();
        var size = new MessageSizeAccumulator();
        header.addSize(size, cache, headerVersion);
        answer.addSize(size, cache, version);
        var bytes = ByteBuffer.allocate(4 + size.totalSize()).putInt(size.totalSize());
        header.write(new ByteBufferAccessor(bytes), cache, headerVersion);
        answer.write(new ByteBufferAccessor(bytes), cache, version);
        socket.getOutputStream().write(bytes.array());
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (var socket : accepted) {
            socket.close();
        }
    }
}
