package io.millrace.admin.operation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.millrace.admin.operation.Errand.Balance;
import io.millrace.admin.operation.Errand.Drain;
import io.millrace.admin.operation.Errand.Handover;
import io.millrace.admin.operation.Errand.LogMove;
import io.millrace.admin.operation.Errand.LogMoves;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import org.jspecify.annotations.Nullable;

/// Long work as it is shown.
///
/// @param state `RUNNING`, `PAUSED`, `COMPLETED`, `FAILED` or `CANCELLED`
/// @param brokerId that it is about; null where it is about none
/// @param throttleBytesPerSec null: none
/// @param cancelling whether it is being called off
/// @param request what was asked for; null where `partitions` say it all
/// @param result what came of it; null where `partitions` say it all, and while nothing has
/// @param reversible whether calling it off brings all back to where it was
record KafkaOperation(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String operationId,
        String type,
        String state,
        @Nullable Integer brokerId,
        String createdBy,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Long throttleBytesPerSec,
        int maxPartitionsPerBroker,
        boolean cancelling,
        boolean cancellable,
        boolean reversible,
        Progress progress,
        @Nullable Map<String, Object> request,
        @Nullable Map<String, Object> result,
        List<String> errors,
        List<PartitionProgress> partitions) {
    private static final int MOST_ERRORS = 100;
    private static final long STALLED_MILLIS = 10_000;

    /// @param done moves that are over and did not fail
    /// @param etaSeconds null where nothing is copied now
    record Progress(int total, int done, int failed, long bytesTotal, long bytesDone, long rateBytesPerSec,
            @Nullable Long etaSeconds) {}

    /// @param state `QUEUED`, `COPYING`, `SWITCHING`, `DONE`, `FAILED`, `RETURNING` or `CANCELLED`
    /// @param stalledForMs how long nothing has come, of the replica that waits longest; null while all is well
    /// @param reason why; null while all is well
    record PartitionProgress(String topicName, int partitionId, List<Integer> from, List<Integer> to, String state,
            long bytesToCopy, long bytesCopied, long rateBytesPerSec, @Nullable Long stalledForMs,
            @Nullable String reason, @Nullable String error) {}

    static KafkaOperation of(String clusterId, Operation operation, ClusterImage image, CopyProgress copies,
            long nowMillis, Links links) {
        var rows = operation.errand() instanceof LogMoves logs
                ? logs.logs().stream().map(log -> row(logs, log)).toList()
                : operation.moves().stream().map(move -> row(operation, move, image, copies, nowMillis)).toList();
        var errors = new ArrayList<String>();
        if (rows.isEmpty() && operation.errand() != null && operation.errand().error() != null) {
            errors.add(operation.errand().error());
        }
        rows.stream().filter(row -> row.error != null).limit(MOST_ERRORS).forEach(row -> errors.add(row.topicName + "-"
                + row.partitionId + ": " + row.error));
        boolean live = !operation.state().over();
        return new KafkaOperation("KafkaOperation", links.metadata(clusterId, new Object[]{"operation", operation.id()},
                "operations", operation.id()), clusterId, operation.id(), operation.type().name(), operation.state()
                        .name(), operation.subject(), operation.createdBy(), Instant.ofEpochMilli(operation
                                .createdAt()), Instant.ofEpochMilli(operation.updatedAt()), operation.throttle(),
                operation.maxPartitionsPerBroker(), operation.cancelling(), live && !operation.cancelling()
                        && (operation
                                .errand() == null || operation.errand().cancellable()), live && !(operation
                                        .errand() instanceof Handover || operation.errand() instanceof Balance),
                progress(operation, rows), request(operation.errand()), result(operation), errors, rows);
    }

    private static @Nullable Map<String, Object> request(@Nullable Errand errand) {
        return switch (errand) {
            case null -> null;
            case Handover handover -> Map.of("controller_id", handover.controller(), "controller_epoch", handover
                    .epoch());
            case Drain drain -> Map.of("coordinator_id", drain.coordinator());
            case Balance balance -> Map.of("moves", balance.moves());
            case LogMoves logs -> Map.of("broker_id", logs.broker(), "replicas", logs.logs().stream().map(log -> Map.of(
                    "topic", log.topic(), "partition", log.partition(), "target_dir", log.to())).toList());
        };
    }

    private static @Nullable Map<String, Object> result(Operation operation) {
        return operation.state().over()
                && operation.errand() instanceof Handover(_, _, Integer next, Integer nextEpoch) && next != null
                && nextEpoch != null
                        ? Map.of("controller_id", next, "controller_epoch", nextEpoch, "takeover_ms", operation
                                .updatedAt() - operation.createdAt())
                        : null;
    }

    private static Progress progress(Operation operation, List<PartitionProgress> rows) {
        int over = operation.state().over() ? 1 : 0;
        return switch (operation.errand()) {
            case Handover _ -> new Progress(1, over, 0, 0, 0, 0, null);
            case Drain drain -> new Progress(drain.shards(), drain.shards() - drain.left(), 0, 0, 0, 0, null);
            case Balance balance -> new Progress(balance.moves(), balance.moves() - balance.left(), 0, 0, 0, 0, null);
            case LogMoves _ -> progress(rows);
            case null -> progress(rows);
        };
    }

    private static PartitionProgress row(LogMoves logs, LogMove log) {
        var here = List.of(logs.broker());
        var state = log.error() != null
                ? "FAILED"
                : log.done() ? logs.back() ? "CANCELLED" : "DONE" : logs.back() ? "RETURNING" : "COPYING";
        return new PartitionProgress(log.topic(), log.partition(), here, here, state, log.bytes(), Math.min(log.bytes(),
                log.copied()), 0, null, null, log.error());
    }

    private static Progress progress(List<PartitionProgress> rows) {
        long total = rows.stream().mapToLong(PartitionProgress::bytesToCopy).sum();
        long done = rows.stream().mapToLong(PartitionProgress::bytesCopied).sum();
        long rate = rows.stream().mapToLong(PartitionProgress::rateBytesPerSec).sum();
        int failed = (int) rows.stream().filter(row -> row.state.equals("FAILED")).count();
        int over = (int) rows.stream().filter(row -> row.state.equals("DONE") || row.state.equals("CANCELLED")).count();
        return new Progress(rows.size(), over, failed, total, done, rate, rate == 0
                ? null
                : Math.ceilDiv(Math.max(0, total - done), rate));
    }

    private static PartitionProgress row(Operation operation, Move move, ClusterImage image, CopyProgress copies,
            long nowMillis) {
        long toCopy = move.bytes() * move.adding().size();
        long copied = move.state() == Move.State.DONE ? toCopy : 0;
        double rate = 0;
        long stalled = 0;
        String reason = null;
        if (move.state().underWay()) {
            for (int broker : move.adding()) {
                var part = copies.of(move.topic(), move.partition(), broker);
                copied += Math.min(move.bytes(), part.bytes());
                rate += part.rate();
                stalled = Math.max(stalled, nowMillis - part.grewAt());
                reason = reason == null ? reason(operation, move, broker, image) : reason;
            }
        }
        boolean stands = move.state().underWay() && (stalled > STALLED_MILLIS || reason != null);
        return new PartitionProgress(move.topic(), move.partition(), move.from(), move.to(), shown(move, image), toCopy,
                copied, Math.round(rate), stands ? stalled : null, stands && reason == null
                        ? "NO_PROGRESS"
                        : reason, move.error());
    }

    private static String shown(Move move, ClusterImage image) {
        return switch (move.state()) {
            case BEGINNING -> "QUEUED";
            case COPYING -> image.partition(move.topic(), move.partition()).filter(now -> now.isr().containsAll(move
                    .to())).isPresent() ? "SWITCHING" : "COPYING";
            case QUEUED, DONE, FAILED, RETURNING, CANCELLED -> move.state().name();
        };
    }

    private static @Nullable String reason(Operation operation, Move move, int broker, ClusterImage image) {
        var partition = image.partition(move.topic(), move.partition());
        if (partition.filter(now -> now.hasLeader()).isEmpty()) {
            return "NO_LEADER";
        }
        if (image.broker(broker).filter(NodeImage::active).isEmpty()) {
            return "BROKER_NOT_AVAILABLE";
        }
        var topic = image.topic(move.topic());
        if (topic.isPresent() && image.broker(broker).filter(node -> node.isFailed(topic.get().id(), move
                .partition())).isPresent()) {
            return "LOG_DIR_FAILED";
        }
        return operation.state() == Operation.State.PAUSED ? "PAUSED" : null;
    }
}
