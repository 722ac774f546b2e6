package io.millrace.wire.frame;

import java.nio.ByteBuffer;
import java.util.Objects;

import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

/// The start of a request, in any of the header's versions.
///
/// @param version of the API; not yet known to be one that is answered
/// @param clientId empty where the client named none
public record RequestHead(ApiKeys api, short version, int correlationId, String clientId) {

    /// Reads the header and leaves `frame` at the first byte of the body.
    ///
    /// @throws BadFrame where the API does not exist or the header is not one
    public static RequestHead read(ByteBuffer frame) throws BadFrame {
        if (frame.remaining() < 2 * Short.BYTES) {
            throw new BadFrame("request of " + frame.remaining() + " bytes");
        }
        // Which version the header has depends on the first two fields of it.
        short key = frame.getShort(frame.position());
        short version = frame.getShort(frame.position() + Short.BYTES);
        if (!ApiKeys.hasId(key) || !ApiKeys.forId(key).hasValidVersion()) {
            throw new BadFrame("unknown api key " + key + " version " + version);
        }
        var api = ApiKeys.forId(key);
        try {
            var header = new RequestHeaderData(new ByteBufferAccessor(frame), api.requestHeaderVersion(version));
            return new RequestHead(api, version, header.correlationId(),
                    Objects.requireNonNullElse(header.clientId(), ""));
        } catch (RuntimeException malformed) {
            throw new BadFrame("header of " + api.name + " version " + version + ": " + malformed);
        }
    }
}
