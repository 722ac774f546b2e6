package io.millrace.metadata.stream;

import java.util.Optional;

import io.millrace.metadata.controller.WireVersion;
import io.millrace.metadata.encoding.MalformedMessage;
import io.millrace.metadata.encoding.Numbers;
import io.millrace.metadata.encoding.Reader;
import io.millrace.metadata.encoding.RecordEncoding;
import io.millrace.metadata.encoding.Writer;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.stream.StreamMessage.Applied;
import io.millrace.metadata.stream.StreamMessage.Change;
import io.millrace.metadata.stream.StreamMessage.Greeting;
import io.millrace.metadata.stream.StreamMessage.Heartbeat;
import io.millrace.metadata.stream.StreamMessage.Whole;

/// The frames of `millrace-metadata.proto`.
final class StreamEncoding {
    private StreamEncoding() {}

    static byte[] encode(StreamMessage message) {
        return Writer.message(out -> {
            switch (message) {
                case Greeting(var hello) -> out.nested(1, in -> hello(in, hello));
                case Applied(var version) -> out.nested(2, RecordEncoding.version(version));
                case Heartbeat(var version) -> out.nested(3, RecordEncoding.version(version));
                case Whole(var snapshot) -> out.nested(4, RecordEncoding.snapshot(snapshot));
                case Change(var delta) -> out.nested(5, RecordEncoding.delta(delta));
            }
        });
    }

    /// Empty where it is a message of a kind that is unknown here.
    ///
    /// @throws MalformedMessage where the bytes do not fit
    static Optional<StreamMessage> decode(byte[] frame) {
        StreamMessage message = null;
        var in = Reader.of(frame);
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> message = new Greeting(in.nested(StreamEncoding::hello));
                case 2 -> message = new Applied(in.nested(RecordEncoding::version));
                case 3 -> message = new Heartbeat(in.nested(RecordEncoding::version));
                case 4 -> message = new Whole(in.nested(RecordEncoding::snapshot));
                case 5 -> message = new Change(in.nested(RecordEncoding::delta));
                default -> in.skip();
            }
        }
        return Optional.ofNullable(message);
    }

    private static void hello(Writer out, Hello hello) {
        out.number(1, WireVersion.NEWEST)
                .oneOf(2, Numbers.ROLES, hello.role())
                .signed(3, hello.id())
                .number(4, hello.nodeEpoch())
                .nested(5, RecordEncoding.version(hello.last()))
                .text(6, hello.http())
                .text(7, hello.softwareVersion());
    }

    private static Hello hello(Reader in) {
        int protocol = 0;
        Role role = null;
        int id = 0;
        long nodeEpoch = 0;
        var last = MetadataVersion.NONE;
        String http = null;
        var softwareVersion = "";
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> protocol = in.number();
                case 2 -> role = in.oneOf(Numbers.ROLES);
                case 3 -> id = in.signed();
                case 4 -> nodeEpoch = in.longNumber();
                case 5 -> last = in.nested(RecordEncoding::version);
                case 6 -> http = in.text();
                case 7 -> softwareVersion = in.text();
                default -> in.skip();
            }
        }
        if (!WireVersion.isSpoken(protocol) || role == null) {
            throw new MalformedMessage("hello of protocol " + protocol + " and role " + role);
        }
        return new Hello(role, id, nodeEpoch, last, http, softwareVersion);
    }
}
