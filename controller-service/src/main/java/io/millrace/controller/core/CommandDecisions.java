package io.millrace.controller.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.millrace.controller.topic.BrokerConfiguration;
import io.millrace.controller.topic.ConfigRules;
import io.millrace.controller.topic.TopicConfiguration;
import io.millrace.controller.topic.TopicCreation;
import io.millrace.controller.topic.TopicDeletion;
import io.millrace.controller.topic.TopicGrowth;
import io.millrace.controller.topic.TopicRules;
import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.ConfigOutcome;
import io.millrace.metadata.command.CreatePartitions;
import io.millrace.metadata.command.CreatePartitions.PartitionsSpec;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.TopicOutcome;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// Commands about topics: each part of a command succeeds or fails for itself, in the order given.
final class CommandDecisions {
    /// Nodes get a new configuration as fast as anything else; a client that asked for it does not say how long it waits.
    private static final long CONFIG_WAIT_MILLIS = 5_000;

    private final TopicCreation creation;
    private final TopicGrowth growth;
    private final TopicDeletion deletion;
    private final TopicConfiguration topicConfiguration;
    private final BrokerConfiguration brokerConfiguration;
    private final TopicDecisions topics;
    private final Settlement settlement;
    private final InternalTopics internalTopics;

    CommandDecisions(TopicCreation creation, TopicGrowth growth, TopicDeletion deletion,
            ConfigRules configs, TopicDecisions topics, Settlement settlement, InternalTopics internalTopics) {
        this.creation = creation;
        this.growth = growth;
        this.deletion = deletion;
        topicConfiguration = new TopicConfiguration(configs);
        brokerConfiguration = new BrokerConfiguration(configs);
        this.topics = topics;
        this.settlement = settlement;
        this.internalTopics = internalTopics;
    }

    Answer<CreateTopics.Result> create(Draft draft, CreateTopics command) {
        var asked = command.topics().stream().map(internalTopics::completed).toList();
        var repeated = repeated(asked, NewTopic::name);
        long partitions = creation.partitionsOf(asked);
        var start = draft.decision();
        var outcomes = asked.stream().map(wanted -> outcome(wanted.name(), () -> {
            TopicRules.checkAdded(partitions);
            checkOnce(wanted.name(), repeated);
            checkFree(wanted.name(), draft.state());
            return topics.create(draft, creation.plan(wanted, draft.image()));
        })).toList();
        return answer(command.validateOnly() ? start : settled(draft, start), outcomes, command.timeoutMillis(),
                CreateTopics.Result::new);
    }

    Answer<CreatePartitions.Result> grow(Draft draft, CreatePartitions command) {
        var repeated = repeated(command.topics(), PartitionsSpec::topic);
        long partitions = TopicGrowth.partitionsOf(command.topics(), draft.image());
        var start = draft.decision();
        var outcomes = command.topics().stream().map(wanted -> outcome(wanted.topic(), () -> {
            TopicRules.checkAdded(partitions);
            checkOnce(wanted.topic(), repeated);
            checkReadable(wanted.topic(), draft.state());
            var added = growth.plan(wanted, draft.image());
            return topics.grow(draft, draft.image().topic(wanted.topic()).orElseThrow(), added);
        })).toList();
        return answer(command.validateOnly() ? start : settled(draft, start), outcomes, command.timeoutMillis(),
                CreatePartitions.Result::new);
    }

    Answer<DeleteTopics.Result> delete(Draft draft, DeleteTopics command) {
        var start = draft.decision();
        var outcomes = command.topics().stream().map(wanted -> {
            try {
                var topic = deletion.plan(wanted, draft.image());
                topics.delete(draft, topic);
                return outcome(topic);
            } catch (Refused refused) {
                return TopicOutcome.refused(wanted.name(), wanted.id(), refused.error().code(), refused.getMessage());
            }
        }).toList();
        return answer(settled(draft, start), outcomes, command.timeoutMillis(), DeleteTopics.Result::new);
    }

    Answer<AlterConfigs.Result> alter(Draft draft, AlterConfigs command) {
        var start = draft.decision();
        var outcomes = new ArrayList<ConfigOutcome>();
        for (var alteration : command.alterations()) {
            var resource = alteration.resource();
            try {
                alter(draft, alteration, command.replaceAll());
                outcomes.add(new ConfigOutcome(resource, Errors.NONE.code(), null));
            } catch (Refused refused) {
                outcomes.add(new ConfigOutcome(resource, refused.error().code(), refused.getMessage()));
            }
        }
        var result = new AlterConfigs.Result(outcomes);
        return new Answer<>(command.validateOnly() ? start : settled(draft, start), result, result, CONFIG_WAIT_MILLIS);
    }

    private void alter(Draft draft, ConfigAlteration alteration, boolean replaceAll) {
        var resource = alteration.resource();
        checkExpected(alteration, draft);
        switch (resource.type()) {
            case TOPIC -> draft.putConfig(resource, topicConfiguration.plan(alteration, replaceAll, draft.image()),
                    true);
            case BROKER, GROUP -> {
                var values = brokerConfiguration.plan(alteration, replaceAll, draft.image());
                // Tools clear the throttles of all nodes, most of which have none.
                if (!values.equals(draft.image().configs().of(resource))) {
                    draft.putConfig(resource, values, true);
                }
            }
            case CLIENT, USER, IP, CLIENT_METRICS -> throw new Refused(Errors.INVALID_REQUEST,
                    "Configuration of " + resource.type() + " resources cannot be altered here.");
        }
    }

    private static void checkExpected(ConfigAlteration alteration, Draft draft) {
        var expected = alteration.expected();
        if (expected != null && !expected.equals(draft.image().configs().tag(alteration.resource()))) {
            throw new Refused(Errors.INVALID_UPDATE_VERSION, "The configuration of " + alteration.resource().name()
                    + " has changed meanwhile.");
        }
    }

    private Decision settled(Draft draft, Decision start) {
        settlement.settle(draft, start.next().image());
        return draft.decision();
    }

    private static <R> Answer<R> answer(Decision decision, List<TopicOutcome> outcomes, long waitMillis,
            Function<List<TopicOutcome>, R> result) {
        var late = outcomes.stream().map(CommandDecisions::late).toList();
        return new Answer<>(decision, result.apply(outcomes), result.apply(late), waitMillis);
    }

    private static TopicOutcome late(TopicOutcome outcome) {
        return outcome.succeeded()
                ? new TopicOutcome(outcome.name(), outcome.id(), Errors.REQUEST_TIMED_OUT.code(),
                        "Not every node has applied the change in time; it is made.", outcome.partitions(),
                        outcome.replicationFactor())
                : outcome;
    }

    private static TopicOutcome outcome(String name, Supplier<TopicImage> work) {
        try {
            return outcome(work.get());
        } catch (Refused refused) {
            return TopicOutcome.refused(name, null, refused.error().code(), refused.getMessage());
        }
    }

    private static TopicOutcome outcome(TopicImage topic) {
        return new TopicOutcome(topic.name(), topic.id(), Errors.NONE.code(), null, topic.partitions().size(),
                topic.partitions().isEmpty() ? 0 : topic.partitions().getFirst().replicas().size());
    }

    private static <T> List<String> repeated(List<T> parts, Function<T, String> name) {
        return parts.stream()
                .collect(Collectors.groupingBy(name, Collectors.counting()))
                .entrySet()
                .stream()
                .filter(entry -> entry.getValue() > 1)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static void checkFree(String name, ControllerState state) {
        if (state.unreadableTopics().contains(name)) {
            throw new Refused(Errors.TOPIC_ALREADY_EXISTS, "Topic '" + name
                    + "' already exists, and its node in ZooKeeper cannot be read.");
        }
    }

    private static void checkReadable(String name, ControllerState state) {
        if (state.unreadableTopics().contains(name)) {
            throw new Refused(Errors.UNKNOWN_SERVER_ERROR, "The node of topic '" + name
                    + "' in ZooKeeper cannot be read.");
        }
    }

    private static void checkOnce(String name, List<String> repeated) {
        if (repeated.contains(name)) {
            throw new Refused(Errors.INVALID_REQUEST, "Duplicate topic name: " + name);
        }
    }
}
