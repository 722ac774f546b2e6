package io.millrace.admin.record;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

import io.millrace.admin.problem.Problem;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/// How the bytes of keys, values and headers are shown.
enum Format {
    /// Objects and lists of JSON as what they are, else text where it is UTF-8, else base64.
    AUTO, STRING, JSON, BASE64, HEX;

    private static final JsonMapper MAPPER = JsonMapper.shared();

    /// Bytes as they are shown.
    ///
    /// @param format what they were taken for; never AUTO
    record Shown(JsonNode data, Format format) {}

    /// @throws Problem where there is none of that name
    static Format named(String name) {
        try {
            return valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException _) {
            throw Problem.badRequest("'" + Problem.shown(name) + "' is not a value of format");
        }
    }

    /// Null where there are no bytes. What is not of this format is shown as base64.
    @Nullable
    Shown show(@Nullable ByteBuffer bytes) {
        if (bytes == null) {
            return null;
        }
        var data = Utils.toArray(bytes.duplicate());
        return switch (this) {
            case AUTO -> json(data, true).or(() -> text(data)).orElseGet(() -> base64(data));
            case STRING -> text(data).orElseGet(() -> base64(data));
            case JSON -> json(data, false).orElseGet(() -> base64(data));
            case BASE64 -> base64(data);
            case HEX -> new Shown(StringNode.valueOf(HexFormat.of().formatHex(data)), HEX);
        };
    }

    /// UTF-8, or nothing.
    static Optional<String> utf8(@Nullable ByteBuffer bytes) {
        if (bytes == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString());
        } catch (CharacterCodingException _) {
            return Optional.empty();
        }
    }

    /// What the bytes are as JSON, or nothing.
    static Optional<JsonNode> tree(byte[] data) {
        try {
            return Optional.ofNullable(MAPPER.readTree(data)).filter(tree -> !tree.isMissingNode());
        } catch (JacksonException _) {
            return Optional.empty();
        }
    }

    private static Optional<Shown> json(byte[] data, boolean containersOnly) {
        boolean looksSo = data.length > 1 && (data[0] == '{' || data[0] == '[');
        return containersOnly && !looksSo ? Optional.empty() : tree(data).map(tree -> new Shown(tree, JSON));
    }

    private static Optional<Shown> text(byte[] data) {
        return utf8(ByteBuffer.wrap(data)).map(text -> new Shown(StringNode.valueOf(text), STRING));
    }

    private static Shown base64(byte[] data) {
        return new Shown(StringNode.valueOf(Base64.getEncoder().encodeToString(data)), BASE64);
    }
}
