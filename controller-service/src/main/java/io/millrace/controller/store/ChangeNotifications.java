package io.millrace.controller.store;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.base.loop.Timeout;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.zookeeper.ZnodeWrite;
import io.millrace.metadata.zookeeper.Znodes;
import lombok.extern.slf4j.Slf4j;

/// `/config/changes`: hints that Kafka's tools leave for those who do not watch the configuration itself. Somebody must
/// clear them away once every reader had its time. Confined to the controller's loop.
@Slf4j
final class ChangeNotifications {
    /// As Kafka keeps them.
    private static final Duration KEPT = Duration.ofMinutes(15);
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final Znodes znodes;
    private final Loop loop;
    private final Ticker ticker;
    private final Map<String, Long> firstSeenNanos = new HashMap<>();
    private Optional<Timeout> next = Optional.empty();

    ChangeNotifications(Znodes znodes, Loop loop, Ticker ticker) {
        this.znodes = znodes;
        this.loop = loop;
        this.ticker = ticker;
    }

    /// Begins to clear away, now and from time to time.
    void start() {
        stop();
        sweep();
    }

    void stop() {
        next.ifPresent(Timeout::cancel);
        next = Optional.empty();
        firstSeenNanos.clear();
    }

    private void sweep() {
        next = Optional.of(loop.schedule(INTERVAL, this::sweep));
        znodes.children(Paths.CONFIG_CHANGES).whenCompleteAsync((names, failure) -> {
            if (failure != null) {
                log.debug("config changes are not cleared away now cause={}", failure.toString());
            } else if (next.isPresent()) {
                clear(new HashSet<>(names));
            }
        }, loop);
    }

    private void clear(Set<String> names) {
        firstSeenNanos.keySet().retainAll(names);
        names.forEach(name -> firstSeenNanos.putIfAbsent(name, ticker.nanos()));
        firstSeenNanos.forEach((name, nanos) -> {
            if (ticker.since(nanos).compareTo(KEPT) > 0) {
                znodes.delete(Paths.CONFIG_CHANGES + "/" + name, ZnodeWrite.ANY_VERSION)
                        .exceptionally(failure -> {
                            // Another one cleared it away, or the next sweep will.
                            log.debug("config change stays name={} cause={}", name, failure.toString());
                            return null;
                        });
            }
        });
    }
}
