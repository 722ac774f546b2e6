package io.millrace.admin.exchange;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.admin.document.Documents;
import io.millrace.admin.document.Documents.Document;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// What was asked and answered under which key, for a day, the newest of them; whichever instance was asked. A request whose
/// outcome nobody knows, since the instance died with it in hand, is never carried out again under its key. Thread-safe.
@Slf4j
public final class Repeats {
    private static final Duration KEPT = Duration.ofHours(24);
    /// Longer than any request takes.
    private static final Duration UNDER_WAY = Duration.ofMinutes(2);
    private static final int MOST = 5_000;
    private static final int CLEANED_EVERY = 500;
    private static final String FOLDER = "repeats";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Documents documents;
    private final Clock clock;
    private final AtomicInteger claims = new AtomicInteger();

    /// @param answer null while the first request is under way
    private record Entry(String digest, long millis, @Nullable Answer answer) {}

    /// An answer to give again.
    ///
    /// @param location null where it had none
    /// @param body null where it was too large to be kept
    record Answer(int status, @Nullable String contentType, @Nullable String location, @Nullable String body) {}

    /// What a request under a key is.
    sealed interface Claim {
        /// To be carried out, and then told of: [#answered] or [#forget].
        record First(Document document) implements Claim {}

        record Repeated(Answer answer) implements Claim {}

        /// Another request had this key.
        record Other() implements Claim {}

        record UnderWay() implements Claim {}

        /// Nobody is left who could tell what came of it.
        record Lost() implements Claim {}
    }

    public Repeats(Documents documents, Clock clock) {
        this.documents = documents;
        this.clock = clock;
    }

    /// @param digest the same for the same request only
    Claim claim(String key, String digest) {
        if (claims.getAndIncrement() % CLEANED_EVERY == 0) {
            dropOld();
        }
        var name = name(key);
        var text = JSON.writeValueAsString(new Entry(digest, clock.millis(), null));
        if (documents.create(FOLDER, name, text)) {
            return new Claim.First(new Document(FOLDER, name, text, 0));
        }
        var known = documents.find(FOLDER, name);
        var entry = known.flatMap(Repeats::read);
        if (known.isPresent() && entry.filter(this::isKept).isEmpty()) {
            // Its day is over. Whoever replaces it first is the first.
            return documents.replace(known.get(), text)
                    ? new Claim.First(new Document(FOLDER, name, text, known.get().version() + 1))
                    : new Claim.UnderWay();
        }
        return entry.map(there -> judge(there, digest)).orElseGet(Claim.UnderWay::new);
    }

    private Claim judge(Entry known, String digest) {
        if (!known.digest.equals(digest)) {
            return new Claim.Other();
        }
        if (known.answer != null) {
            return new Claim.Repeated(known.answer);
        }
        return known.millis < clock.millis() - UNDER_WAY.toMillis() ? new Claim.Lost() : new Claim.UnderWay();
    }

    void answered(Claim.First claim, Answer answer) {
        read(claim.document).ifPresent(entry -> {
            var text = JSON.writeValueAsString(new Entry(entry.digest, entry.millis, answer));
            if (text.getBytes(StandardCharsets.UTF_8).length > Documents.LARGEST) {
                text = JSON.writeValueAsString(new Entry(entry.digest, entry.millis, new Answer(answer.status,
                        answer.contentType, answer.location, null)));
            }
            documents.replace(claim.document, text);
        });
    }

    void forget(Claim.First claim) {
        documents.delete(claim.document);
    }

    /// Forgets those whose day is over, and the oldest of too many.
    private void dropOld() {
        record Aged(Document document, Optional<Entry> entry) {
            long millis() {
                return entry.map(Entry::millis).orElse(Long.MIN_VALUE);
            }
        }
        List<Aged> kept = new ArrayList<>(documents.all(FOLDER).stream().map(document -> new Aged(document, read(
                document))).sorted(Comparator.comparingLong(Aged::millis)).toList());
        for (int i = 0; i < kept.size(); i++) {
            var one = kept.get(i);
            if (i < kept.size() - MOST || one.entry.filter(this::isKept).isEmpty()) {
                documents.delete(one.document);
            }
        }
    }

    private boolean isKept(Entry entry) {
        return entry.millis >= clock.millis() - KEPT.toMillis();
    }

    private static Optional<Entry> read(Document document) {
        try {
            return Optional.of(JSON.readValue(document.text(), Entry.class));
        } catch (JacksonException unreadable) {
            log.warn("event=repeat-unreadable name={} cause=\"{}\"", document.name(), unreadable.getOriginalMessage());
            return Optional.empty();
        }
    }

    /// Keys are of any characters, names of nodes are not.
    private static String name(String key) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(
                    StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
