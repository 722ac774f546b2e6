package io.millrace.admin.record;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.List;

import io.millrace.admin.problem.Problem;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A record to write.
///
/// @param partitionId null: by the key as Kafka's clients do, or any
/// @param timestamp an ISO instant; null: now
@Schema(example = """
        {"key": {"type": "STRING", "data": "42"}, "value": {"type": "JSON", "data": {"amount": 7}}}""")
record ProduceRequest(
        @Nullable Integer partitionId,
        @Nullable @Size(max = 1_000) List<@NotNull @Valid RecordHeaderData> headers,
        @Nullable @Valid RecordData key,
        @Nullable @Valid RecordData value,
        @Nullable String timestamp) {

    /// @param value in base64; null: a header without a value
    record RecordHeaderData(@NotBlank @Size(max = 32_768) String name, @Nullable String value) {}

    /// @param type what `data` is; null: BINARY
    /// @param data base64 for BINARY, a text for STRING, anything for JSON; null: none at all
    record RecordData(@Nullable DataType type, @Schema(types = {
            "string", "object", "number", "boolean",
            "array"}) @Nullable JsonNode data) {

        byte @Nullable [] bytes(String field) {
            if (data == null || data.isNull()) {
                return null;
            }
            return switch (type) {
                case JSON -> data.toString().getBytes(StandardCharsets.UTF_8);
                case STRING -> text(field).getBytes(StandardCharsets.UTF_8);
                case null, default -> base64(field, text(field));
            };
        }

        DataType shownType() {
            return type == null ? DataType.BINARY : type;
        }

        private String text(String field) {
            if (data == null || !data.isString()) {
                throw Problem.unprocessable(field + ".data is a text where its type is " + shownType());
            }
            return data.stringValue();
        }
    }

    /// What data are.
    enum DataType {
        BINARY, STRING, JSON
    }

    /// @throws Problem where the data are not of their type
    SimpleRecord record(long nowMillis) {
        return new SimpleRecord(millis(nowMillis), key == null ? null : key.bytes("key"), value == null
                ? null
                : value.bytes("value"), recordHeaders());
    }

    private Header[] recordHeaders() {
        return headers == null
                ? new Header[0]
                : headers.stream().map(header -> new RecordHeader(header.name(), header.value() == null
                        ? null
                        : base64("headers.value", header.value()))).toArray(Header[]::new);
    }

    private long millis(long nowMillis) {
        if (timestamp == null) {
            return nowMillis;
        }
        try {
            return Instant.parse(timestamp).toEpochMilli();
        } catch (DateTimeParseException _) {
            throw Problem.badRequest("timestamp is an ISO instant such as 2026-01-31T12:00:00Z");
        }
    }

    private static byte[] base64(String field, String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException _) {
            throw Problem.unprocessable(field + " is not base64");
        }
    }
}
