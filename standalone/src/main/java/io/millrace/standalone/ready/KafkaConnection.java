package io.millrace.standalone.ready;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;

import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/// One blocking connection that speaks the Kafka protocol, a request at a time.
final class KafkaConnection implements AutoCloseable {

    private static final int ANSWER_LIMIT_BYTES = 64 << 20;

    private final Socket socket = new Socket();
    private int correlationId;

    KafkaConnection(String host, int port, Duration timeout) throws IOException {
        int millis = Math.toIntExact(timeout.toMillis());
        try {
            socket.connect(new InetSocketAddress(host, port), millis);
            socket.setSoTimeout(millis);
            socket.setTcpNoDelay(true);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /// Sends the request in that version and waits for its answer.
    ApiMessage send(ApiMessage request, short version) throws IOException {
        ApiKeys api = ApiKeys.forId(request.apiKey());
        write(api, request, version);
        ByteBufferAccessor answer = new ByteBufferAccessor(read());
        var header = new ResponseHeaderData(answer, api.responseHeaderVersion(version));
        if (header.correlationId() != correlationId) {
            throw new IOException("answer " + header.correlationId() + " to request " + correlationId);
        }
        ApiMessage response = ApiMessageType.fromApiKey(api.id).newResponse();
        response.read(answer, version);
        return response;
    }

    private void write(ApiKeys api, ApiMessage request, short version) throws IOException {
        var header = new RequestHeaderData().setRequestApiKey(api.id).setRequestApiVersion(version)
                .setCorrelationId(++correlationId).setClientId("millrace-launcher");
        ByteBuffer head = bytes(header, api.requestHeaderVersion(version));
        ByteBuffer body = bytes(request, version);
        var frame = ByteBuffer.allocate(Integer.BYTES + head.remaining() + body.remaining());
        frame.putInt(head.remaining() + body.remaining()).put(head).put(body);
        new DataOutputStream(socket.getOutputStream()).write(frame.array());
    }

    private ByteBuffer read() throws IOException {
        var in = new DataInputStream(socket.getInputStream());
        int size = in.readInt();
        if (size < 0 || size > ANSWER_LIMIT_BYTES) {
            throw new IOException("an answer of " + size + " bytes");
        }
        byte[] frame = new byte[size];
        in.readFully(frame);
        return ByteBuffer.wrap(frame);
    }

    private static ByteBuffer bytes(Message message, short version) {
        var cache = new ObjectSerializationCache();
        var size = new MessageSizeAccumulator();
        message.addSize(size, cache, version);
        var buffer = ByteBuffer.allocate(size.totalSize());
        message.write(new ByteBufferAccessor(buffer), cache, version);
        return buffer.flip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
