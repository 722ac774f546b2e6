package io.millrace.controller.publish;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.base.loop.Timeout;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.Role;
import org.jspecify.annotations.Nullable;

/// Which version each node has applied, and who waits for all active ones to apply one. Confined to the controller's loop.
final class AppliedVersions {
    /// Beyond this many unapplied versions the age of the oldest is all that matters.
    private static final int MAX_TIMED = 10_000;

    private final Loop loop;
    private final Ticker ticker;
    private final Map<NodeKey, MetadataVersion> applied = new HashMap<>();
    private final Deque<Published> unapplied = new ArrayDeque<>();
    private final Map<Long, Waiter> waiters = new LinkedHashMap<>();
    private long lastWaiter;
    private ClusterImage image = ClusterImage.EMPTY;

    AppliedVersions(Loop loop, Ticker ticker) {
        this.loop = loop;
        this.ticker = ticker;
    }

    private record Published(MetadataVersion version, long atNanos) {}

    private record Waiter(MetadataVersion version, CompletableFuture<Boolean> answer, Timeout timeout) {}

    /// That image was published: it says who is active, and is what they should apply.
    void published(ClusterImage next) {
        image = next;
        if (unapplied.size() < MAX_TIMED) {
            unapplied.add(new Published(next.version(), ticker.nanos()));
        }
        settle();
    }

    /// A node applied that version.
    void applied(NodeKey node, MetadataVersion version) {
        applied.merge(node, version, (one, other) -> one.reaches(other) ? one : other);
        settle();
    }

    /// Completes with whether all active nodes have applied `version` within `atMost`.
    CompletableFuture<Boolean> await(MetadataVersion version, Duration atMost) {
        var answer = new CompletableFuture<Boolean>();
        if (everyoneReached(version)) {
            answer.complete(true);
            return answer;
        }
        long id = ++lastWaiter;
        waiters.put(id, new Waiter(version, answer, loop.schedule(atMost, () -> tell(id, false))));
        return answer;
    }

    private void tell(long id, boolean reached) {
        var waiter = waiters.remove(id);
        if (waiter != null) {
            waiter.timeout().cancel();
            waiter.answer().complete(reached);
        }
    }

    /// The term is over: nobody will apply anything of it any more.
    void end() {
        List.copyOf(waiters.keySet()).forEach(id -> tell(id, false));
        applied.clear();
        unapplied.clear();
        image = ClusterImage.EMPTY;
    }

    /// When the oldest version was published that some active node has not applied; null where all have all.
    @Nullable
    Long oldestUnappliedNanos() {
        var oldest = unapplied.peek();
        return oldest == null ? null : oldest.atNanos();
    }

    /// What a node has applied.
    MetadataVersion of(NodeKey node) {
        return applied.getOrDefault(node, MetadataVersion.NONE);
    }

    /// How long the oldest version has waited that a node has not applied.
    Duration lag(NodeKey node) {
        var has = of(node);
        return unapplied.stream().filter(published -> !has.reaches(published.version())).findFirst().map(
                published -> ticker.since(published.atNanos())).orElse(Duration.ZERO);
    }

    /// Whether `version` is what was published last, or later.
    boolean isCurrent(MetadataVersion version) {
        return version.reaches(image.version());
    }

    private void settle() {
        while (!unapplied.isEmpty() && everyoneReached(unapplied.getFirst().version())) {
            unapplied.removeFirst();
        }
        var reached = waiters.entrySet()
                .stream()
                .filter(entry -> everyoneReached(entry.getValue().version()))
                .map(Map.Entry::getKey)
                .toList();
        reached.forEach(id -> tell(id, true));
    }

    private boolean everyoneReached(MetadataVersion version) {
        return image.nodes().all().stream().filter(AppliedVersions::follows).allMatch(node -> applied.getOrDefault(node
                .key(), MetadataVersion.NONE).reaches(version));
    }

    private static boolean follows(NodeImage node) {
        return node.active() && node.role() != Role.CONTROLLER;
    }
}
