package io.millrace.tests.compatibility;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/// A record as tests compare it, whatever client wrote or read it.
///
/// As a line for client programs: key, value and headers, apart by tabs. Texts are base64, null is `-`, a header is
/// `name=text` and headers are apart by commas.
///
/// @param headers in order; names are plain words
public record Message(@Nullable String key, @Nullable String value, List<Header> headers) {

    /// One header.
    public record Header(String name, @Nullable String value) {}

    public Message {
        headers = List.copyOf(headers);
    }

    public static Message of(@Nullable String key, @Nullable String value) {
        return new Message(key, value, List.of());
    }

    /// Records of every shape: with and without key, headers, and with null and empty values.
    static List<Message> ofEveryShape() {
        var shapes = List.of(of("key", "value"), of(null, "no key"), of("", "empty key"), of("tombstone", null),
                of("empty", ""), of("ünï", "cödé ✓"),
                new Message("headers", "some", List.of(new Header("first", "1"), new Header("second", "2"),
                        new Header("first", "again"), new Header("empty", ""))));
        // Enough that like goes by like, so that every codec has something to do.
        var many = IntStream.range(0, 200).mapToObj(i -> of("key-" + i, "the same text again and again ".repeat(5)
                + i));
        return Stream.concat(shapes.stream(), many).toList();
    }

    String line() {
        return text(key) + "\t" + text(value) + "\t"
                + headers.stream().map(it -> it.name() + "=" + text(it.value())).collect(Collectors.joining(","));
    }

    static Message parse(String line) {
        String[] fields = line.split("\t", -1);
        List<Header> headers = fields[2].isEmpty()
                ? List.of()
                : Stream.of(fields[2].split(",", -1)).map(it -> it.split("=", 2))
                        .map(it -> new Header(it[0], parseText(it[1]))).toList();
        return new Message(parseText(fields[0]), parseText(fields[1]), headers);
    }

    private static String text(@Nullable String text) {
        return text == null ? "-" : Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable String parseText(String text) {
        return text.equals("-") ? null : new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }
}
