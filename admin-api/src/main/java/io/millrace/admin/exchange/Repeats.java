package io.millrace.admin.exchange;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/// What was asked and answered under which key, for a day, the newest of them. Thread-safe: the lock is held for a look only.
public final class Repeats {
    private static final Duration KEPT = Duration.ofHours(24);
    private static final int MOST = 10_000;

    private final Clock clock;
    private final Map<String, Entry> byKey = new LinkedHashMap<>();

    /// @param answer null while the first request is under way
    private record Entry(String digest, long millis, @Nullable Answer answer) {}

    /// An answer to give again.
    ///
    /// @param location null where it had none
    record Answer(int status, @Nullable String contentType, @Nullable String location, String body) {}

    /// What a request under a key is.
    sealed interface Claim {
        /// To be carried out, and then told of: [#answered] or [#forget].
        record First() implements Claim {}

        record Repeated(Answer answer) implements Claim {}

        /// Another request had this key.
        record Other() implements Claim {}

        record UnderWay() implements Claim {}
    }

    public Repeats(Clock clock) {
        this.clock = clock;
    }

    /// @param digest the same for the same request only
    synchronized Claim claim(String key, String digest) {
        dropOld();
        var known = byKey.get(key);
        if (known == null) {
            byKey.put(key, new Entry(digest, clock.millis(), null));
            return new Claim.First();
        }
        if (!known.digest.equals(digest)) {
            return new Claim.Other();
        }
        return known.answer == null ? new Claim.UnderWay() : new Claim.Repeated(known.answer);
    }

    synchronized void answered(String key, Answer answer) {
        byKey.computeIfPresent(key, (_, entry) -> new Entry(entry.digest, entry.millis, answer));
    }

    synchronized void forget(String key) {
        byKey.remove(key);
    }

    private void dropOld() {
        long oldest = clock.millis() - KEPT.toMillis();
        var entries = byKey.values().iterator();
        while (entries.hasNext()) {
            var entry = entries.next();
            if (entry.millis >= oldest && byKey.size() < MOST) {
                return;
            }
            entries.remove();
        }
    }
}
