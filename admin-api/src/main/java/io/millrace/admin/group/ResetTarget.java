package io.millrace.admin.group;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

import io.millrace.admin.problem.Problem;
import tools.jackson.databind.JsonNode;

/// Where a group is to go on: `"earliest"`, `"latest"`, or an object with one of the others.
sealed interface ResetTarget {
    record Earliest() implements ResetTarget {}

    record Latest() implements ResetTarget {}

    record Offset(long offset) implements ResetTarget {}

    /// The first record as young as that.
    record Timestamp(long millis) implements ResetTarget {}

    /// So many records on, or back where it is negative.
    record Shift(long by) implements ResetTarget {}

    /// The first record as young as that, before now.
    record Ago(Duration duration) implements ResetTarget {}

    /// Where another group is.
    record OtherGroup(String groupId) implements ResetTarget {}

    /// @throws Problem where that is none of them
    static ResetTarget of(JsonNode to) {
        if (to.isString()) {
            return switch (to.stringValue()) {
                case "earliest" -> new Earliest();
                case "latest" -> new Latest();
                case String other -> throw Problem.badRequest("'" + Problem.shown(other) + "' is not a value of to");
            };
        }
        if (!to.isObject() || to.size() != 1) {
            throw refused();
        }
        var entry = to.properties().iterator().next();
        var value = entry.getValue();
        return switch (entry.getKey()) {
            case "offset" -> new Offset(whole(value, 0));
            case "timestamp" -> new Timestamp(value.isString() ? instant(value.stringValue()) : whole(value, 0));
            case "shift" -> new Shift(whole(value, Long.MIN_VALUE));
            case "by_duration" -> new Ago(duration(value));
            case "from_group" -> new OtherGroup(text(value));
            default -> throw refused();
        };
    }

    private static Problem refused() {
        return Problem.badRequest("to is \"earliest\", \"latest\", or an object with one of offset, timestamp, shift, "
                + "by_duration, from_group");
    }

    private static long whole(JsonNode value, long least) {
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < least) {
            throw Problem.badRequest("to: a whole number is expected");
        }
        return value.longValue();
    }

    private static String text(JsonNode value) {
        if (!value.isString() || value.stringValue().isEmpty()) {
            throw Problem.badRequest("to: a text is expected");
        }
        return value.stringValue();
    }

    private static long instant(String text) {
        try {
            return Instant.parse(text).toEpochMilli();
        } catch (DateTimeParseException _) {
            throw Problem.badRequest("to.timestamp is milliseconds since 1970, or an ISO instant");
        }
    }

    private static Duration duration(JsonNode value) {
        try {
            var duration = Duration.parse(text(value));
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (DateTimeParseException _) {
            // said below
        }
        throw Problem.badRequest("to.by_duration is an ISO duration such as PT1H");
    }
}
