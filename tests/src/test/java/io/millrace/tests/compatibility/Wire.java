package io.millrace.tests.compatibility;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// A bare connection, for requests that no client sends.
final class Wire implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket = new Socket();

    Wire(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        socket.connect(new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon
                + 1))),
                TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
    }

    /// A request with a header of version 1: api, version, correlation id, client id; and its length in front.
    static byte[] request(int api, int version, int correlationId, byte[] body) {
        byte[] client = "bare".getBytes(StandardCharsets.US_ASCII);
        int size = 2 + 2 + 4 + 2 + client.length + body.length;
        return ByteBuffer.allocate(4 + size).putInt(size).putShort((short) api).putShort((short) version).putInt(
                correlationId)
                .putShort((short) client.length).put(client).put(body).array();
    }

    void send(byte[] bytes) throws IOException {
        new DataOutputStream(socket.getOutputStream()).write(bytes);
    }

    /// The next answer, without its length.
    ByteBuffer answer() throws IOException {
        var in = new DataInputStream(socket.getInputStream());
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return ByteBuffer.wrap(frame);
    }

    /// Whether the other side closes, without a byte more.
    boolean isClosedByThem() throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (EOFException | SocketException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
