package io.millrace.coordinator.marker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.millrace.base.loop.Backoff;
import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.coordinator.marker.MarkerRoutes.Route;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.error.Failures;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Sends markers until they are written: to each node one request at a time, with all that has gathered for it. What could
/// not be written is sent again after a growing wait, to whoever is responsible by then. There is at most one transaction
/// of an id on its way, so that ids bound what waits here.
@Slf4j
public final class MarkerSender implements Markers {
    private static final Backoff RETRY = new Backoff(Duration.ofMillis(20), Duration.ofSeconds(1));
    private static final int MAX_PIECES = 5_000;
    private static final int ATTEMPTS_BEFORE_WARNING = 10;

    private final MarkerCalls calls;
    private final MarkerRoutes routes;
    private final Loop loop;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final MarkerMetrics metrics;
    private final Map<NodeAddress, Destination> destinations = new HashMap<>();
    private final Set<PendingMarkers> pending = new LinkedHashSet<>();

    /// What gathers for one node.
    private static final class Destination {
        private final Deque<MarkerPiece> waiting = new ArrayDeque<>();
        private boolean inFlight;
    }

    /// @param images the newest one
    /// @param listener of brokers and coordinators, by its name
    /// @param random used by the loop alone
    public MarkerSender(MarkerCalls calls, Supplier<ClusterImage> images, String listener, Loop loop, Ticker ticker,
            RandomGenerator random, MarkerMetrics metrics) {
        this.calls = calls;
        this.loop = loop;
        this.ticker = ticker;
        this.random = random;
        this.metrics = metrics;
        routes = new MarkerRoutes(images, listener);
    }

    @Override
    public CompletableFuture<Set<TopicPartition>> write(EndedTransaction transaction) {
        var result = new CompletableFuture<Set<TopicPartition>>();
        loop.execute(() -> begin(new PendingMarkers(transaction, ticker.nanos(), result)));
        return result;
    }

    private void begin(PendingMarkers markers) {
        pending.add(markers);
        measureOldest();
        metrics.waiting(markers.missing());
        markers.result().whenComplete((_, _) -> loop.execute(() -> ended(markers)));
        if (markers.missing() == 0) {
            markers.result().complete(Set.of());
            return;
        }
        route(markers.transaction().partitions().stream()
                .map(partition -> new MarkerPiece(markers, partition, 0)).toList());
    }

    private void ended(PendingMarkers markers) {
        if (pending.remove(markers)) {
            metrics.waiting(-markers.missing());
            measureOldest();
        }
    }

    private void measureOldest() {
        if (pending.isEmpty()) {
            metrics.oldest(() -> Duration.ZERO);
        } else {
            long since = pending.iterator().next().sinceNanos();
            metrics.oldest(() -> ticker.since(since));
        }
    }

    private void route(List<MarkerPiece> pieces) {
        var touched = new LinkedHashSet<NodeAddress>();
        var homeless = new ArrayList<MarkerPiece>();
        for (var piece : pieces) {
            if (piece.of().result().isDone()) {
                continue; // cancelled
            }
            switch (routes.of(piece.partition())) {
                case Route.To(var node) -> {
                    destinations.computeIfAbsent(node, _ -> new Destination()).waiting.add(piece);
                    touched.add(node);
                }
                case Route.Nobody() -> homeless.add(piece);
                case Route.Gone() -> written(piece);
            }
        }
        touched.forEach(this::send);
        again(homeless, Errors.LEADER_NOT_AVAILABLE.name());
    }

    private void send(NodeAddress node) {
        var destination = destinations.get(node);
        if (destination == null || destination.inFlight) {
            return;
        }
        var pieces = new ArrayList<MarkerPiece>();
        while (pieces.size() < MAX_PIECES && !destination.waiting.isEmpty()) {
            var piece = destination.waiting.remove();
            if (!piece.of().result().isDone()) {
                pieces.add(piece);
            }
        }
        if (pieces.isEmpty()) {
            destinations.remove(node);
            return;
        }
        destination.inFlight = true;
        calls.send(node, MarkerRequests.of(pieces))
                .whenComplete((answer, failure) -> loop.execute(() -> {
                    destination.inFlight = false;
                    answered(pieces, answer, failure);
                    send(node);
                }));
    }

    private void answered(List<MarkerPiece> pieces, @Nullable WriteTxnMarkersResponseData answer,
            @Nullable Throwable failure) {
        if (answer == null) {
            again(pieces, failure == null ? "no answer" : Failures.cause(failure).toString());
            return;
        }
        var rest = new ArrayList<MarkerPiece>();
        var errors = new LinkedHashSet<Errors>();
        MarkerRequests.outcomes(pieces, answer).forEach((piece, error) -> {
            switch (error) {
                case NONE -> {
                    metrics.written();
                    written(piece);
                }
                // A later epoch of this producer has its marker there, so that of this one came before.
                case INVALID_PRODUCER_EPOCH, PRODUCER_FENCED -> {
                    log.info("marker overtaken transactionalId={} partition={} producerId={} epoch={}",
                            piece.transaction().transactionalId(), piece.partition(), piece.transaction().producerId(),
                            piece.transaction().epoch());
                    written(piece);
                }
                // No leader will ever take one there. Such partitions are not added any more, but logs may have them.
                case INVALID_TOPIC_EXCEPTION -> {
                    log.warn("marker for a topic without transactions left out transactionalId={} partition={}", piece
                            .transaction().transactionalId(), piece.partition());
                    written(piece);
                }
                case TRANSACTION_COORDINATOR_FENCED -> {
                    log.warn("marker refused for a later coordinator transactionalId={} partition={} producerId={}"
                            + " epoch={} coordinatorEpoch={}", piece.transaction().transactionalId(), piece.partition(),
                            piece.transaction().producerId(), piece.transaction().epoch(), piece.transaction()
                                    .coordinatorEpoch());
                    metrics.refused();
                    piece.of().refused(piece.partition());
                    written(piece);
                }
                default -> {
                    errors.add(error);
                    rest.add(piece);
                }
            }
        });
        again(rest, errors.toString());
    }

    private void written(MarkerPiece piece) {
        int before = piece.of().missing();
        boolean last = piece.of().written(piece.partition());
        metrics.waiting(piece.of().missing() - before);
        if (last) {
            metrics.complete(ticker.since(piece.of().sinceNanos()));
            piece.of().result().complete(piece.of().refused());
        }
    }

    private void again(Collection<MarkerPiece> pieces, String reason) {
        if (pieces.isEmpty()) {
            return;
        }
        metrics.retried(pieces.size());
        int attempt = pieces.stream().mapToInt(MarkerPiece::attempt).min().orElse(0);
        var first = pieces.iterator().next();
        if (attempt == ATTEMPTS_BEFORE_WARNING) {
            log.warn("markers cannot be written yet partitions={} partition={} transactionalId={} reason=\"{}\"",
                    pieces.size(), first.partition(), first.transaction().transactionalId(), reason);
        } else {
            log.debug("markers not written partitions={} partition={} attempt={} reason=\"{}\"", pieces.size(),
                    first.partition(), attempt, reason);
        }
        var next = pieces.stream().map(MarkerPiece::again).toList();
        loop.schedule(RETRY.delay(attempt, random), () -> route(next));
    }
}
