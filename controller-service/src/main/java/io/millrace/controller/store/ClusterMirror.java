package io.millrace.controller.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.loop.Loop;
import io.millrace.controller.core.Observation;
import io.millrace.controller.core.Observation.ConfigSeen;
import io.millrace.controller.core.Observation.PartitionSeen;
import io.millrace.controller.core.Observation.TopicSeen;
import io.millrace.controller.store.TopicReader.StateAt;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.znode.Place;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// What a standby has at hand of that of which there is much: topics with their states, and configurations. Confined to
/// the controller's loop.
///
/// Watches say what changed, and that is read again, many nodes at a time and one read after the other. ZooKeeper tells a
/// session of a change before it answers anything that the session asked later: so once this session has won an office,
/// the mirror has heard of all that earlier offices wrote, and is right as soon as it has read that.
///
///     EMPTY ──reset──► FILLING ──read──► CURRENT ◄──► BEHIND      (any) ──reset──► FILLING      (any) ──clear──► EMPTY
@Slf4j
final class ClusterMirror {
    private static final int MOST_AT_ONCE = 4_000;
    private static final Duration RETRY_PAUSE = Duration.ofMillis(500);

    private final Loop loop;
    private final TopicReader topicReader;
    private final ConfigReader configReader;
    private final Map<String, TopicSeen> topics = new HashMap<>();
    private final Map<String, Map<Integer, PartitionSeen>> states = new HashMap<>();
    private final Map<ConfigResource, ConfigSeen> configs = new HashMap<>();
    private final List<CompletableFuture<Observation>> waiting = new ArrayList<>();
    /// Bounded by what there is in ZooKeeper.
    private Set<Place> changed = new HashSet<>();
    private Phase phase = Phase.EMPTY;
    private boolean reading;
    /// Which life this is: a read that was begun before [#clear] says nothing any more.
    private int life;

    private enum Phase {
        EMPTY, FILLING, CURRENT, BEHIND
    }

    ClusterMirror(Loop loop, TopicReader topicReader, ConfigReader configReader) {
        this.loop = loop;
        this.topicReader = topicReader;
        this.configReader = configReader;
    }

    /// A watch was set: whatever changed before is unknown.
    void reset() {
        loop.assertInLoop();
        phase = Phase.FILLING;
        proceed();
    }

    /// A watch told of a change.
    void changed(Place place) {
        loop.assertInLoop();
        switch (place) {
            case Place.Topic _,Place.PartitionState _,Place.Config _ -> {
                if (phase != Phase.EMPTY) {
                    changed.add(place);
                    phase = phase == Phase.CURRENT ? Phase.BEHIND : phase;
                    proceed();
                }
            }
            case Place _ -> {
                // Of everything else there is little: it is read when it is needed.
            }
        }
    }

    /// All of it, once nothing that changed is still to be read.
    CompletableFuture<Observation> settled() {
        loop.assertInLoop();
        var answer = new CompletableFuture<Observation>();
        waiting.add(answer);
        proceed();
        return answer;
    }

    /// Forgets all of it.
    void clear() {
        loop.assertInLoop();
        life++;
        phase = Phase.EMPTY;
        reading = false;
        topics.clear();
        states.clear();
        configs.clear();
        changed.clear();
        fail(new IllegalStateException("the mirror was cleared"));
    }

    private void proceed() {
        if (reading) {
            return;
        }
        switch (phase) {
            case EMPTY -> {
                // The watches will say that they are set.
            }
            case FILLING -> {
                phase = Phase.BEHIND;
                changed = new HashSet<>();
                read(topicReader.all().thenCombine(configReader.all(), Filling::new), new HashSet<>(), this::fill);
            }
            case BEHIND -> {
                var now = next();
                read(reread(now), now, this::take);
            }
            case CURRENT -> {
                var answers = List.copyOf(waiting);
                waiting.clear();
                if (!answers.isEmpty()) {
                    var all = observation();
                    answers.forEach(answer -> answer.complete(all));
                }
            }
        }
    }

    private record Filling(Map<String, TopicSeen> topics, Map<ConfigResource, ConfigSeen> configs) {}

    private record Reread(Set<Place> places, Map<String, TopicSeen> topics, Map<StateAt, PartitionSeen> states,
            Map<ConfigResource, ConfigSeen> configs) {}

    private interface Taking<T> {
        void take(T read);
    }

    private <T> void read(CompletableFuture<T> read, Set<Place> places, Taking<T> taking) {
        reading = true;
        int mine = life;
        read.whenCompleteAsync((found, failure) -> {
            if (mine != life) {
                return;
            }
            if (failure == null) {
                reading = false;
                taking.take(found);
                if (phase == Phase.BEHIND && changed.isEmpty()) {
                    phase = Phase.CURRENT;
                }
                proceed();
            } else {
                tryAgain(places, failure);
            }
        }, loop);
    }

    private void tryAgain(Set<Place> places, Throwable failure) {
        log.debug("what changed could not be read and is tried again places={} cause={}", places.size(), failure
                .toString());
        if (places.isEmpty()) {
            phase = Phase.FILLING;
        }
        changed.addAll(places);
        fail(failure);
        int mine = life;
        loop.schedule(RETRY_PAUSE, () -> {
            if (mine == life) {
                reading = false;
                proceed();
            }
        });
    }

    private void fail(Throwable failure) {
        var answers = List.copyOf(waiting);
        waiting.clear();
        answers.forEach(answer -> answer.completeExceptionally(failure));
    }

    private Set<Place> next() {
        if (changed.size() <= MOST_AT_ONCE) {
            var all = changed;
            changed = new HashSet<>();
            return all;
        }
        var some = new HashSet<Place>();
        changed.stream().limit(MOST_AT_ONCE).forEach(some::add);
        changed.removeAll(some);
        return some;
    }

    private CompletableFuture<Reread> reread(Set<Place> places) {
        var names = new ArrayList<String>();
        var statesAt = new ArrayList<StateAt>();
        var resources = new ArrayList<ConfigResource>();
        for (var place : places) {
            switch (place) {
                case Place.Topic(String name) -> names.add(name);
                case Place.PartitionState(String topic, int partition) -> statesAt.add(new StateAt(topic, partition));
                case Place.Config(ConfigResource resource) -> resources.add(resource);
                case Place _ -> throw new IllegalStateException(place + " is not mirrored");
            }
        }
        return topicReader.nodesOf(names)
                .thenCombine(topicReader.states(statesAt), (seen, found) -> new Reread(places, seen, found, Map.of()))
                .thenCombine(configReader.of(resources), (seen, found) -> new Reread(places, seen.topics(), seen
                        .states(), found));
    }

    private void fill(Filling all) {
        topics.clear();
        states.clear();
        configs.clear();
        all.topics().forEach((name, topic) -> put(name, topic));
        configs.putAll(all.configs());
        log.info("standby is warm topics={} configs={}", topics.size(), configs.size());
    }

    private void put(String name, TopicSeen topic) {
        topics.put(name, topic);
        if (topic instanceof TopicSeen.Present present && present.states() != null) {
            states.put(name, new HashMap<>(present.states()));
        }
    }

    private void take(Reread read) {
        read.topics().forEach((name, topic) -> {
            if (topic instanceof TopicSeen.Absent) {
                topics.remove(name);
            } else {
                topics.put(name, topic);
            }
        });
        read.configs().forEach((resource, config) -> {
            if (config instanceof ConfigSeen.Absent) {
                configs.remove(resource);
            } else {
                configs.put(resource, config);
            }
        });
        for (var place : read.places()) {
            if (place instanceof Place.PartitionState(String topic, int partition)) {
                putState(topic, partition, read.states().get(new StateAt(topic, partition)));
            }
        }
    }

    private void putState(String topic, int partition, @Nullable PartitionSeen state) {
        if (state != null) {
            states.computeIfAbsent(topic, _ -> new HashMap<>()).put(partition, state);
            return;
        }
        var left = states.get(topic);
        if (left != null) {
            left.remove(partition);
            if (left.isEmpty()) {
                states.remove(topic);
            }
        }
    }

    private Observation observation() {
        var seen = new HashMap<String, TopicSeen>();
        topics.forEach((name, topic) -> seen.put(name, TopicReader.with(topic, states.getOrDefault(name, Map.of()))));
        return Observation.NOTHING.withTopics(seen).withConfigs(configs);
    }
}
