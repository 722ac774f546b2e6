package io.millrace.broker.replication;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.protocol.Errors;

/// The follower's half of a fetch session (KIP-227): what the leader knows of our wishes, so that a request says only what
/// changed since the last one. Confined to the fetcher's loop. **pure**
///
///     none ──request in full──► asked ──answer with an id──► open ──request──► open, one epoch later
///     (any) ──failure or refusal──► none
final class LeaderSession {
    private static final int NO_ID = 0;
    private static final int NEW = 0;

    private final int partitionMaxBytes;
    private final Set<FollowedPartition> wanted = new LinkedHashSet<>();
    /// Of the wanted ones, those of which the leader is to be told something else than last time.
    private final Set<FollowedPartition> changed = new LinkedHashSet<>();
    private final Set<TopicIdPartition> told = new HashSet<>();
    private final Set<TopicIdPartition> forgotten = new LinkedHashSet<>();
    private long requests;
    private int id = NO_ID;
    private int epoch = NEW;
    private int generation;

    /// @param partitionMaxBytes asked for of each partition
    LeaderSession(int partitionMaxBytes) {
        this.partitionMaxBytes = partitionMaxBytes;
    }

    /// `partition` is to be fetched from now on, or again. Where the leader has it from before, it has to forget it first:
    /// what it told meanwhile was passed over here, and it would not tell it twice.
    void want(FollowedPartition partition) {
        wanted.add(partition);
        changed.add(partition);
    }

    /// `partition` is not to be fetched for now.
    void drop(FollowedPartition partition) {
        wanted.remove(partition);
        changed.remove(partition);
        if (told.contains(partition.key())) {
            forgotten.add(partition.key());
        }
    }

    /// The log of `partition` moved.
    void moved(FollowedPartition partition) {
        if (wanted.contains(partition)) {
            changed.add(partition);
        }
    }

    /// Whether there is anything to fetch.
    boolean wantsAny() {
        return !wanted.isEmpty();
    }

    /// Whether the leader waits for too little: what it was last asked for is not all that is wanted now. Only an open
    /// session can say so while a request is under way.
    boolean hasNews() {
        return epoch != NEW && !changed.isEmpty();
    }

    Collection<FollowedPartition> wanted() {
        return wanted;
    }

    /// Goes up when a session ends. An answer to a request of an older one says nothing any more.
    int generation() {
        return generation;
    }

    /// How many requests were filled in: the number of the last one.
    long requests() {
        return requests;
    }

    /// Fills in what the next request says of the session and its partitions.
    FetchRequestData fill(FetchRequestData request) {
        requests++;
        request.setSessionId(id).setSessionEpoch(epoch);
        if (epoch == NEW) {
            told.clear();
            forgotten.clear();
            changed.clear();
            return request.setTopics(topics(wanted));
        }
        epoch = epoch == Integer.MAX_VALUE ? 1 : epoch + 1;
        var now = new ArrayList<FollowedPartition>(changed.size());
        changed.removeIf(partition -> !forgotten.contains(partition.key()) && now.add(partition));
        request.setTopics(topics(now)).setForgottenTopicsData(forgottenTopics());
        told.removeAll(forgotten);
        forgotten.clear();
        return request;
    }

    /// The leader answered, and keeps the session `answered`; 0 where it keeps none.
    void answered(int answered) {
        if (answered == NO_ID) {
            id = NO_ID;
            epoch = NEW;
        } else if (epoch == NEW) {
            id = answered;
            epoch = NEW + 1;
        }
    }

    /// The leader did not take the request.
    void refused(Errors error) {
        end();
        if (error == Errors.FETCH_SESSION_ID_NOT_FOUND) {
            id = NO_ID;
        }
    }

    /// What the leader knows is no longer known here. The next request is in full, and closes the session there.
    void end() {
        generation++;
        epoch = NEW;
    }

    private List<FetchTopic> topics(Collection<FollowedPartition> partitions) {
        var topics = new LinkedHashMap<Uuid, FetchTopic>();
        for (var partition : partitions) {
            if (told.add(partition.key())) {
                partition.fetchedFrom(requests);
            }
            topics.computeIfAbsent(partition.key().topicId(), topicId -> new FetchTopic().setTopicId(topicId))
                    .partitions()
                    .add(partition.asked(partitionMaxBytes));
        }
        return new ArrayList<>(topics.values());
    }

    private List<ForgottenTopic> forgottenTopics() {
        var topics = new LinkedHashMap<Uuid, ForgottenTopic>();
        for (var key : forgotten) {
            topics.computeIfAbsent(key.topicId(), topicId -> new ForgottenTopic().setTopicId(topicId)).partitions().add(
                    key.partition());
        }
        return new ArrayList<>(topics.values());
    }
}
