package io.millrace.admin.operation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// What an operation is about that moves no partition to other brokers, as it is kept. **pure**
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "errand")
@JsonSubTypes({@JsonSubTypes.Type(value = Errand.Handover.class, name = "handover"),
        @JsonSubTypes.Type(value = Errand.Drain.class, name = "drain"),
        @JsonSubTypes.Type(value = Errand.Balance.class, name = "balance"),
        @JsonSubTypes.Type(value = Errand.LogMoves.class, name = "logs")})
public sealed interface Errand {

    /// Whether nothing is left to do.
    boolean done();

    /// Why it failed, for people; null where it did not.
    @Nullable
    String error();

    /// Where it is by what is known now.
    ///
    /// @param logs where logs lie, of the broker that it is about; empty where it does not say or none is asked
    Errand next(ClusterImage image, Map<TopicPartition, LogPlace> logs);

    /// Whether it can be called off.
    default boolean cancellable() {
        return false;
    }

    /// A log of a broker.
    ///
    /// @param future directory that it is on the way to; null where it is on none
    /// @param futureBytes that are there
    record LogPlace(String directory, long bytes, @Nullable String future, long futureBytes) {}

    /// The office of the controller goes to another.
    ///
    /// @param controller that has it
    /// @param epoch of its office
    /// @param next controller that had it after that; null while there is none
    record Handover(int controller, int epoch, @Nullable Integer next, @Nullable Integer nextEpoch)
            implements
                Errand {
        @Override
        public boolean done() {
            return next != null;
        }

        @Override
        public @Nullable String error() {
            return next != null && next == controller ? "controller " + controller + " was elected again" : null;
        }

        @Override
        public Handover next(ClusterImage image, Map<TopicPartition, LogPlace> logs) {
            int now = image.version().controllerEpoch();
            return next == null && now > epoch && image.controllerId() >= 0
                    ? new Handover(controller, epoch, image.controllerId(), now)
                    : this;
        }
    }

    /// A coordinator gives away its shards.
    ///
    /// @param nodeEpoch of its registration: the next life of it is not meant
    /// @param shards that it had
    /// @param left that it has still
    /// @param calledOff whether it is not drained any more
    record Drain(int coordinator, long nodeEpoch, int shards, int left, boolean calledOff) implements Errand {
        @Override
        public boolean done() {
            return left == 0 || calledOff;
        }

        @Override
        public @Nullable String error() {
            return null;
        }

        @Override
        public boolean cancellable() {
            return true;
        }

        @Override
        public Drain next(ClusterImage image, Map<TopicPartition, LogPlace> logs) {
            boolean lives = image.coordinator(coordinator).filter(node -> node.epoch() == nodeEpoch).isPresent();
            int now = lives ? owned(image, coordinator) : 0;
            return now == left ? this : new Drain(coordinator, nodeEpoch, shards, now, calledOff);
        }
    }

    /// Coordinators even out what they own.
    ///
    /// @param left handovers that are under way still
    record Balance(int moves, int left) implements Errand {
        @Override
        public boolean done() {
            return left == 0;
        }

        @Override
        public @Nullable String error() {
            return null;
        }

        @Override
        public Balance next(ClusterImage image, Map<TopicPartition, LogPlace> logs) {
            int now = Math.toIntExact(shards(image).filter(ShardImage::hasSuccessor).count());
            return now == left ? this : new Balance(moves, now);
        }
    }

    /// Logs of a broker go to other directories of it.
    ///
    /// @param back whether they go back to where they were
    record LogMoves(int broker, List<LogMove> logs, boolean back) implements Errand {
        public LogMoves {
            logs = List.copyOf(logs);
        }

        @Override
        public boolean done() {
            return logs.stream().allMatch(log -> log.done || log.error != null);
        }

        @Override
        public @Nullable String error() {
            return logs.stream().map(LogMove::error).filter(java.util.Objects::nonNull).findFirst().orElse(null);
        }

        @Override
        public boolean cancellable() {
            return true;
        }

        /// The same, on the way back.
        LogMoves returning() {
            return new LogMoves(broker, logs.stream().map(log -> new LogMove(log.topic, log.partition, log.from, log.to,
                    log.bytes, log.copied, false, null)).toList(), true);
        }

        @Override
        public LogMoves next(ClusterImage image, Map<TopicPartition, LogPlace> places) {
            if (places.isEmpty()) {
                return this;
            }
            var next = new ArrayList<LogMove>(logs.size());
            logs.forEach(log -> next.add(log.next(places.get(new TopicPartition(log.topic, log.partition)), back)));
            return next.equals(logs) ? this : new LogMoves(broker, next, back);
        }
    }

    /// @param from directory that it was in
    /// @param to directory that it goes to
    /// @param bytes that it had when it began
    record LogMove(String topic, int partition, String from, String to, long bytes, long copied, boolean done,
            @Nullable String error) {

        /// Where it is to be.
        String goal(boolean back) {
            return back ? from : to;
        }

        private LogMove next(@Nullable LogPlace place, boolean back) {
            if (done || error != null) {
                return this;
            }
            if (place == null) {
                return failed("the broker has no replica of it any more");
            }
            boolean there = place.directory.equals(goal(back)) && place.future == null;
            long has = there && !back ? Math.max(bytes, copied) : place.future == null ? 0 : place.futureBytes;
            return !there && has == copied
                    ? this
                    : new LogMove(topic, partition, from, to, bytes, has, there, null);
        }

        LogMove failed(String why) {
            return new LogMove(topic, partition, from, to, bytes, copied, done, why);
        }
    }

    private static int owned(ClusterImage image, int coordinator) {
        return Math.toIntExact(shards(image).filter(shard -> shard.owner() == coordinator).count());
    }

    private static Stream<ShardImage> shards(ClusterImage image) {
        return Arrays.stream(ShardKind.values()).flatMap(kind -> image.shards(kind).all().stream());
    }
}
