package io.millrace.wire.codec;

import java.nio.ByteBuffer;
import java.util.List;

import io.millrace.wire.frame.BadFrame;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCounted;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/// Requests and answers, both ways.
public final class Messages {
    private Messages() {}

    /// The request in `body`; its records are slices of `body`.
    ///
    /// @throws BadFrame where the bytes are not such a request
    public static ApiMessage readRequest(ApiKeys api, short version, ByteBuffer body) throws BadFrame {
        var request = api.messageType.newRequest();
        read(request, api, version, body);
        return request;
    }

    /// The answer in `frame`, header included; its records are slices of `frame`.
    ///
    /// @throws BadFrame where the bytes are not such an answer, or the answer to another request
    public static ApiMessage readAnswer(ApiKeys api, short version, int correlationId, ByteBuffer frame)
            throws BadFrame {
        var header = new ResponseHeaderData();
        read(header, api, api.responseHeaderVersion(version), frame);
        if (header.correlationId() != correlationId) {
            throw new BadFrame("answer to " + header.correlationId() + ", expected was " + correlationId);
        }
        var answer = api.messageType.newResponse();
        read(answer, api, version, frame);
        return answer;
    }

    private static void read(Message message, ApiKeys api, short version,
            ByteBuffer bytes) throws BadFrame {
        try {
            message.read(new ByteBufferAccessor(bytes), version);
        } catch (RuntimeException malformed) {
            throw new BadFrame("body of " + api.name + " version " + version + ": " + malformed);
        }
    }

    /// A request's frame, size included: buffers and file regions, to be written in this order and each released.
    ///
    /// @throws RuntimeException where `request` has what `version` cannot express; its file slices are released then
    public static List<ReferenceCounted> writeRequest(ApiMessage request, short version, int correlationId,
            String clientId, ByteBufAllocator allocator) {
        var api = ApiKeys.forId(request.apiKey());
        var header = new RequestHeaderData().setRequestApiKey(api.id)
                .setRequestApiVersion(version)
                .setCorrelationId(correlationId)
                .setClientId(clientId);
        return write(header, api.requestHeaderVersion(version), request, version, allocator);
    }

    /// An answer's frame, size included: buffers and file regions, to be written in this order and each released.
    ///
    /// @throws RuntimeException where `answer` has what `version` cannot express; its file slices are released then
    public static List<ReferenceCounted> writeAnswer(ApiMessage answer, short version, int correlationId,
            ByteBufAllocator allocator) {
        var api = ApiKeys.forId(answer.apiKey());
        var header = new ResponseHeaderData().setCorrelationId(correlationId);
        return write(header, api.responseHeaderVersion(version), answer, version, allocator);
    }

    private static List<ReferenceCounted> write(ApiMessage header, short headerVersion, ApiMessage body, short version,
            ByteBufAllocator allocator) {
        try {
            return writeParts(header, headerVersion, body, version, allocator);
        } catch (RuntimeException unwritable) {
            FileSlice.releaseAll(body);
            throw unwritable;
        }
    }

    private static List<ReferenceCounted> writeParts(ApiMessage header, short headerVersion, ApiMessage body,
            short version, ByteBufAllocator allocator) {
        var cache = new ObjectSerializationCache();
        var size = new MessageSizeAccumulator();
        header.addSize(size, cache, headerVersion);
        body.addSize(size, cache, version);
        int withoutRecords = Integer.BYTES + size.sizeExcludingZeroCopy();
        var writer = new PartsWriter(allocator.directBuffer(withoutRecords, withoutRecords));
        try {
            writer.writeInt(size.totalSize());
            header.write(writer, cache, headerVersion);
            body.write(writer, cache, version);
        } catch (RuntimeException unwritable) {
            writer.abandon();
            throw unwritable;
        }
        return writer.finish();
    }
}
