package io.millrace.admin.history;

import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.millrace.admin.document.Documents;
import io.millrace.admin.document.Documents.Document;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import io.millrace.metadata.image.MetadataVersion;
import lombok.extern.slf4j.Slf4j;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Changes of configurations, for a month, the newest of them. A change has its name by the version of the metadata that brought
/// it, so that of several instances that see it one writes it down. What changed while no instance ran, or could not be written
/// down, is found by the next image after that, and has its time. Thread-safe.
@Slf4j
public final class ConfigHistory implements AutoCloseable {
    private static final String FOLDER = "config-history";
    private static final Duration KEPT = Duration.ofDays(30);
    private static final int MOST = 1_000;
    private static final int MOST_WAITING = 1_000;
    /// Those of others hold secrets, or have not come yet.
    private static final Set<ConfigType> TYPES = Set.of(ConfigType.TOPIC, ConfigType.BROKER, ConfigType.GROUP);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Documents documents;
    private final Clock clock;
    private final Executor writer;
    private volatile boolean behind;

    /// Writes on one thread; what comes faster than it is written is found by the next image. To be closed.
    public static ConfigHistory onItsOwnThread(Documents documents, Clock clock) {
        return new ConfigHistory(documents, clock, new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING), Thread.ofPlatform().name("admin-history").daemon().factory()));
    }

    /// @param writer one thread; what it refuses is found later
    public ConfigHistory(Documents documents, Clock clock, Executor writer) {
        this.documents = documents;
        this.clock = clock;
        this.writer = writer;
    }

    /// Has what changed from one image to the next written down. Does not block.
    public void changed(ClusterImage before, ClusterImage after, Changes changes) {
        boolean first = before.version().equals(MetadataVersion.NONE);
        if (!first && changes.configs().isEmpty()) {
            return;
        }
        try {
            writer.execute(() -> writeDown(first, before, after, changes));
        } catch (RejectedExecutionException _) {
            behind = true;
        }
    }

    private void writeDown(boolean first, ClusterImage before, ClusterImage after, Changes changes) {
        try {
            if (first || behind) {
                catchUp(after);
                behind = false;
            }
            if (!first) {
                write(before, after, changes);
            }
        } catch (RuntimeException failure) {
            behind = true;
            log.warn("event=config-history-waits cause=\"{}\"", failure.toString());
        }
    }

    private void write(ClusterImage before, ClusterImage after, Changes changes) {
        changes.configs().stream().filter(resource -> TYPES.contains(resource.type())).forEach(resource -> write(after,
                resource, before.configs().of(resource)));
    }

    /// What differs from what was written down last. Of what nobody wrote down yet nothing is known.
    private void catchUp(ClusterImage now) {
        var last = new HashMap<ConfigResource, Map<String, String>>();
        all().forEach(change -> last.put(change.resource(), change.all()));
        last.forEach((resource, was) -> write(now, resource, was));
    }

    private void write(ClusterImage image, ConfigResource resource, Map<String, String> was) {
        var is = image.configs().of(resource);
        if (is.equals(was)) {
            return;
        }
        var version = image.version();
        // Names sort by time.
        var id = String.format(Locale.ROOT, "%010d-%019d-%08x", version.controllerEpoch(), version.sequence(), resource
                .hashCode());
        var change = ConfigChange.between(id, clock.millis(), version.sequence(), resource, was, is);
        if (documents.create(FOLDER, id, JSON.writeValueAsString(change))) {
            dropOld();
        }
    }

    private void dropOld() {
        var kept = documents.all(FOLDER).stream().sorted(Comparator.comparing(Document::name)).toList();
        long oldest = clock.millis() - KEPT.toMillis();
        for (int i = 0; i < kept.size(); i++) {
            if (i < kept.size() - MOST || read(kept.get(i)).filter(change -> change.at() >= oldest).isEmpty()) {
                documents.delete(kept.get(i));
            }
        }
    }

    /// All that is kept, the oldest first.
    List<ConfigChange> all() {
        return documents.all(FOLDER).stream().flatMap(document -> read(document).stream()).sorted(Comparator.comparing(
                ConfigChange::id)).toList();
    }

    Optional<ConfigChange> find(String id) {
        return documents.find(FOLDER, id).flatMap(ConfigHistory::read);
    }

    @Override
    public void close() {
        if (writer instanceof ExecutorService own) {
            own.shutdownNow();
        }
    }

    private static Optional<ConfigChange> read(Document document) {
        try {
            return Optional.of(JSON.readValue(document.text(), ConfigChange.class));
        } catch (JacksonException unreadable) {
            log.warn("event=config-change-unreadable id={} cause=\"{}\"", document.name(), unreadable
                    .getOriginalMessage());
            return Optional.empty();
        }
    }
}
