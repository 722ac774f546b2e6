package io.millrace.controller.core;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.millrace.controller.core.Observation.ElectionSeen;
import io.millrace.controller.partition.Leadership;
import io.millrace.controller.partition.LiveReplicas;
import io.millrace.metadata.command.ElectLeaders;
import io.millrace.metadata.command.ElectLeaders.Outcome;
import io.millrace.metadata.command.ElectLeaders.TopicPartition;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.event.Level;

/// Elections that somebody asks for, and those that give leaderships back to preferred leaders.
final class Elections {
    /// Of partitions in a line of the log.
    private static final int MOST_NAMED = 20;

    private Elections() {}

    /// Each partition for itself.
    static Answer<ElectLeaders.Result> elect(Draft draft, ElectLeaders command) {
        var image = draft.image();
        var named = command.partitions();
        var live = draft.live();
        var outcomes = (named == null ? all(image) : named.stream().distinct())
                .map(partition -> elect(draft, image, command.type(), partition, live))
                .filter(outcome -> named != null || outcome.errorCode() != Errors.ELECTION_NOT_NEEDED.code())
                .toList();
        var late = outcomes.stream().map(Elections::late).toList();
        return new Answer<>(draft.decision(), new ElectLeaders.Result(outcomes), new ElectLeaders.Result(late), command
                .timeoutMillis());
    }

    /// What an old tool asks for. What cannot be done goes, with a reason in the log, or the tool would wait for ever.
    static void asked(Draft draft, ElectionSeen seen) {
        var partitions = seen.partitions();
        if (partitions == null) {
            draft.note(Level.WARN, "election asked for by an old tool is dropped reason=the node cannot be read");
        } else {
            var refused = giveBack(draft, partitions).stream().filter(Elections::isWorthTelling).toList();
            draft.note(Level.INFO, "preferred leaders were asked for by an old tool partitions=" + partitions.size()
                    + " refused=" + refused.size());
            if (!refused.isEmpty()) {
                draft.note(Level.WARN, "elections asked for by an old tool are dropped " + described(refused));
            }
        }
        draft.write(new StoreWrite.ElectionDone(seen.version()));
    }

    private static boolean isWorthTelling(Outcome outcome) {
        return outcome.errorCode() != Errors.NONE.code() && outcome.errorCode() != Errors.ELECTION_NOT_NEEDED.code();
    }

    private static String described(List<Outcome> refused) {
        return refused.stream()
                .limit(MOST_NAMED)
                .map(outcome -> outcome.topic() + "-" + outcome.partition() + " (" + outcome.message() + ")")
                .collect(Collectors.joining(", ", "", refused.size() > MOST_NAMED ? ", ..." : ""));
    }

    /// Gives partitions to their preferred leaders, those for which that is possible.
    static List<Outcome> giveBack(Draft draft, List<TopicPartition> partitions) {
        var image = draft.image();
        var live = draft.live();
        return partitions.stream()
                .distinct()
                .map(partition -> elect(draft, image, ElectLeaders.Type.PREFERRED, partition, live))
                .toList();
    }

    private static Stream<TopicPartition> all(ClusterImage image) {
        return image.topics().all().stream().flatMap(topic -> topic.partitions().stream().map(
                partition -> new TopicPartition(topic.name(), partition.partition())));
    }

    private static Outcome elect(Draft draft, ClusterImage before, ElectLeaders.Type type, TopicPartition partition,
            LiveReplicas live) {
        try {
            var topic = before.topic(partition.topic()).orElseThrow(Elections::unknown);
            var now = topic.partition(partition.partition()).orElseThrow(Elections::unknown);
            var next = switch (type) {
                case PREFERRED -> preferred(topic, now, live);
                case UNCLEAN -> unclean(topic, now, live);
            };
            draft.putPartition(topic.name(), topic.id(), next);
            return new Outcome(partition.topic(), partition.partition(), Errors.NONE.code(), null);
        } catch (Refused refused) {
            return new Outcome(partition.topic(), partition.partition(), refused.error().code(), refused.getMessage());
        }
    }

    private static PartitionImage preferred(TopicImage topic, PartitionImage now, LiveReplicas live) {
        int preferred = now.replicas().getFirst();
        if (now.leader() == preferred) {
            throw new Refused(Errors.ELECTION_NOT_NEEDED, "The preferred leader leads.");
        }
        return Leadership.preferred(now, live.of(topic.id(), now.partition()))
                .orElseThrow(() -> new Refused(Errors.PREFERRED_LEADER_NOT_AVAILABLE, "Broker " + preferred
                        + " is not alive and in sync."));
    }

    private static PartitionImage unclean(TopicImage topic, PartitionImage now, LiveReplicas live) {
        if (now.hasLeader()) {
            throw new Refused(Errors.ELECTION_NOT_NEEDED, "Broker " + now.leader() + " leads.");
        }
        var next = Leadership.next(now, live.of(topic.id(), now.partition()), true);
        if (!next.hasLeader()) {
            throw new Refused(Errors.ELIGIBLE_LEADERS_NOT_AVAILABLE, "None of its replicas " + now.replicas()
                    + " is alive.");
        }
        return next;
    }

    private static Refused unknown() {
        return new Refused(Errors.UNKNOWN_TOPIC_OR_PARTITION, "The partition does not exist.");
    }

    private static Outcome late(Outcome outcome) {
        return outcome.errorCode() == Errors.NONE.code()
                ? new Outcome(outcome.topic(), outcome.partition(), Errors.REQUEST_TIMED_OUT.code(),
                        "Not every node has applied the election in time; it is made.")
                : outcome;
    }
}
