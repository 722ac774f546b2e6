package io.millrace.controller.core;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import io.millrace.controller.fixture.Cluster;
import io.millrace.controller.partition.ElectionRules;
import io.millrace.controller.topic.FakeConfigRules;
import io.millrace.controller.topic.TopicRules;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.record.MetadataRecord;
import io.millrace.metadata.record.Snapshot;

/// Decisions one after another, as if each were written at once.
final class Term {
    final Decider decider;
    private ControllerState state;

    Term(Cluster cluster) {
        this(cluster, false);
    }

    Term(Cluster cluster, boolean unclean) {
        var random = new Random(7);
        decider = new Decider(new TopicRules(1, 1, true), new FakeConfigRules(), AlikeTopics.of(5, 1, Map.of()),
                new ElectionRules(unclean, 1),
                () -> new UUID(random.nextLong(), random.nextLong()), random);
        state = ControllerState.atStart(new Office(0, 1, 1)).after(Snapshot.of(cluster.image()).records());
    }

    ControllerState state() {
        return state;
    }

    ClusterImage image() {
        return state.image();
    }

    TopicImage topic(String name) {
        return image().topic(name).orElseThrow();
    }

    PartitionImage partition(String topic, int partition) {
        return topic(topic).partitions().get(partition);
    }

    <R> Answer<R> asked(Command<R> command) {
        var answer = decider.asked(state, command);
        state = answer.decision().next();
        return answer;
    }

    Decision happened(ControllerEvent event) {
        return decided(decider.happened(state, event));
    }

    Decision observed(Observation seen) {
        return decided(decider.observed(state, seen));
    }

    /// Puts the cluster into some state without anything following from it.
    void put(MetadataRecord... records) {
        state = state.after(List.of(records));
    }

    private Decision decided(Decision decision) {
        state = decision.next();
        return decision;
    }
}
