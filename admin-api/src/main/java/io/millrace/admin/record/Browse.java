package io.millrace.admin.record;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.millrace.admin.problem.Problem;
import io.millrace.admin.upstream.Fetches;
import io.millrace.admin.upstream.Offsets;
import io.millrace.admin.upstream.Offsets.Position;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Looks through partitions for records, up to a number of them, of records looked at, and a time.
final class Browse {
    static final int MOST_SCANNED = 200_000;
    private static final Comparator<TopicPartition> BY_NUMBER = Comparator.comparingInt(TopicPartition::partition);

    private final Fetches fetches;
    private final Offsets offsets;

    /// @param scanned how many records were looked at
    /// @param next where to go on; empty where the end was reached
    /// @param unavailable partitions whose leader did not answer
    record Found(List<KafkaRecord> records, long scanned, Map<TopicPartition, Long> next,
            Set<Integer> unavailable) {}

    /// What is asked for.
    ///
    /// @param from offsets to begin at
    record Question(Map<TopicPartition, Long> from, RecordFilter filter, Format format, int limit, boolean committed,
            Duration timeout) {}

    Browse(Fetches fetches, Offsets offsets) {
        this.fetches = fetches;
        this.offsets = offsets;
    }

    /// Where reading begins.
    ///
    /// @param from `earliest`, `latest` (the last `limit` records of each), `offset:N`, `timestamp:MILLIS` or an ISO instant
    Map<TopicPartition, Long> begin(List<TopicPartition> partitions, String from, int limit) {
        var earliest = offsets.of(partitions, Position.EARLIEST).offsets();
        if (from.equals("earliest")) {
            return ordered(earliest);
        }
        if (from.equals("latest")) {
            var begin = ordered(offsets.of(partitions, Position.LATEST).offsets());
            begin.replaceAll((partition, end) -> Math.max(earliest.getOrDefault(partition, 0L), end - limit));
            return begin;
        }
        if (from.startsWith("offset:")) {
            long offset = number(from);
            var begin = ordered(earliest);
            begin.replaceAll((_, first) -> Math.max(first, offset));
            return begin;
        }
        if (from.startsWith("timestamp:")) {
            return ordered(offsets.after(partitions, timestamp(from.substring("timestamp:".length()))).offsets());
        }
        throw Problem.badRequest("'" + Problem.shown(from)
                + "' is not a value of from: earliest, latest, offset:N or timestamp:T");
    }

    private static Map<TopicPartition, Long> ordered(Map<TopicPartition, Long> offsets) {
        var ordered = new TreeMap<TopicPartition, Long>(BY_NUMBER);
        ordered.putAll(offsets);
        return ordered;
    }

    private static long number(String from) {
        try {
            return Long.parseUnsignedLong(from.substring(from.indexOf(':') + 1));
        } catch (NumberFormatException _) {
            throw Problem.badRequest("'" + Problem.shown(from) + "' is not a value of from");
        }
    }

    private static long timestamp(String text) {
        try {
            return text.matches("\\d{1,18}") ? Long.parseLong(text) : Instant.parse(text).toEpochMilli();
        } catch (DateTimeParseException _) {
            throw Problem.badRequest("'" + Problem.shown(text) + "' is neither milliseconds nor an ISO instant");
        }
    }

    Found find(Question asked) {
        var ends = offsets.of(asked.from.keySet(), Position.LATEST);
        var unavailable = ends.errors().keySet().stream().map(TopicPartition::partition)
                .collect(Collectors.toCollection(TreeSet::new));
        var positions = ordered(asked.from);
        positions.keySet().removeIf(partition -> unavailable.contains(partition.partition()));
        var records = new ArrayList<KafkaRecord>();
        long deadline = System.nanoTime() + asked.timeout.toNanos();
        long scanned = 0;
        while (records.size() < asked.limit && scanned < MOST_SCANNED && deadline - System.nanoTime() > 0) {
            var open = open(positions, ends.offsets());
            if (open.isEmpty()) {
                break;
            }
            var parts = fetches.fetch(open, Duration.ZERO, asked.committed);
            for (var partition : open.keySet()) {
                var part = parts.get(partition);
                if (part == null || isGone(part.error())) {
                    unavailable.add(partition.partition());
                    positions.remove(partition);
                    continue;
                }
                scanned += look(partition, part, asked, records, positions);
            }
        }
        return new Found(records, scanned, open(positions, ends.offsets()), unavailable);
    }

    private static boolean isGone(Errors error) {
        return error != Errors.NONE && error != Errors.OFFSET_OUT_OF_RANGE;
    }

    private static Map<TopicPartition, Long> open(Map<TopicPartition, Long> positions,
            Map<TopicPartition, Long> ends) {
        var open = new TreeMap<TopicPartition, Long>(BY_NUMBER);
        positions.forEach((partition, offset) -> {
            if (offset < ends.getOrDefault(partition, 0L)) {
                open.put(partition, offset);
            }
        });
        return open;
    }

    /// @return how many were looked at
    private static long look(TopicPartition partition, Fetches.Part part, Question asked, List<KafkaRecord> to,
            Map<TopicPartition, Long> positions) {
        long before = positions.getOrDefault(partition, 0L);
        if (part.error() == Errors.OFFSET_OUT_OF_RANGE) {
            // What was there is deleted meanwhile, or nothing comes any more.
            positions.put(partition, part.logStart() > before ? part.logStart() : Long.MAX_VALUE);
            return 0;
        }
        long looked = 0;
        for (var read : part.records()) {
            if (to.size() >= asked.limit) {
                return looked;
            }
            looked++;
            positions.put(partition, read.record().offset() + 1);
            if (asked.filter.accepts(partition, read.record())) {
                to.add(KafkaRecord.of(partition, read, asked.format));
            }
        }
        // An answer without a step forward: what is left belongs to an open transaction.
        positions.put(partition, part.next() > before ? part.next() : Long.MAX_VALUE);
        return looked;
    }

    static @Nullable String token(Map<TopicPartition, Long> positions) {
        if (positions.isEmpty()) {
            return null;
        }
        var text = positions.entrySet().stream().map(entry -> entry.getKey().partition() + ":" + entry.getValue())
                .collect(Collectors.joining(","));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /// @throws Problem where that is no token of [#token]
    static Map<TopicPartition, Long> positions(String topic, String token) {
        try {
            var positions = new TreeMap<TopicPartition, Long>(BY_NUMBER);
            for (var entry : new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8).split(",", -1)) {
                var parts = entry.split(":", 2);
                positions.put(new TopicPartition(topic, Integer.parseUnsignedInt(parts[0])), Long.parseUnsignedLong(
                        parts[1]));
            }
            return positions;
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException _) {
            throw Problem.badRequest("'" + Problem.shown(token) + "' is not a value of page_token");
        }
    }
}
