package io.millrace.wire.api;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.types.RawTaggedField;

/// A text in a part of an answer that Kafka's schema has no room for, as a tagged field that other clients pass over. It is
/// there only in versions that have tagged fields.
public final class AddedText {
    private static final int TAG = 10_000;

    private AddedText() {}

    /// Adds `text` to `part`.
    public static void add(Message part, String text) {
        part.unknownTaggedFields().add(new RawTaggedField(TAG, text.getBytes(StandardCharsets.UTF_8)));
    }

    /// Takes away what was added to `part`, which goes out in a version without tagged fields.
    public static void removeFrom(Message part) {
        part.unknownTaggedFields().removeIf(field -> field.tag() == TAG);
    }

    /// What was added to `part`, if anything.
    public static Optional<String> of(Message part) {
        return part.unknownTaggedFields().stream().filter(field -> field.tag() == TAG).findFirst()
                .map(field -> new String(field.data(), StandardCharsets.UTF_8));
    }
}
