package io.millrace.admin.upstream;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.millrace.metadata.image.NodeImage;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// How far each replica of a partition is: only its leader knows, and tells it over HTTP.
@Slf4j
public final class ReplicaFacts {
    /// A person waits for it, and the rest of the answer is there already.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final JsonMapper json = JsonMapper.shared();

    /// @param cluster where the leaders are
    public ReplicaFacts(Cluster cluster) {
        this.cluster = cluster;
    }

    /// @param logEndOffset of the next record that it will have
    /// @param lagMessages how many records of the leader it has yet to fetch
    /// @param lastCaughtUpMillis when it last had all of them, in milliseconds since 1970; null where that is not known
    public record Fact(long logEndOffset, long lagMessages, @Nullable Long lastCaughtUpMillis) {}

    /// What the leader tells, by broker; nothing where there is no leader, or it does not answer.
    public Map<Integer, Fact> of(TopicPartition partition) {
        return cluster.leader(partition).map(leader -> asked(leader, partition)).orElseGet(Map::of);
    }

    private Map<Integer, Fact> asked(NodeImage leader, TopicPartition partition) {
        if (leader.http() == null) {
            return Map.of();
        }
        var request = HttpRequest.newBuilder(URI.create(leader.http() + "/replicas/" + partition.topic() + "/"
                + partition
                        .partition())).timeout(PATIENCE).build();
        try {
            var answer = http.send(request, BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
                return facts(leader.id(), json.readTree(answer.body()));
            }
            log.debug("event=replica-facts-refused broker={} partition={} status={}", leader.id(), partition, answer
                    .statusCode());
        } catch (IOException | JacksonException failure) {
            log.debug("event=replica-facts-failed broker={} partition={} cause=\"{}\"", leader.id(), partition, failure
                    .toString());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return Map.of();
    }

    private static Map<Integer, Fact> facts(int leader, JsonNode told) {
        long end = number(told, "log_end_offset");
        var facts = new HashMap<>(Map.of(leader, new Fact(end, 0, null)));
        for (var follower : told.path("followers")) {
            long reached = number(follower, "log_end_offset");
            // A leader that has not heard of a follower yet does not know how far it is.
            if (reached >= 0) {
                long caughtUp = number(follower, "last_caught_up_ms");
                facts.put(Math.toIntExact(number(follower, "broker")), new Fact(reached, Math.max(0, end - reached),
                        caughtUp < 0
                                ? null
                                : caughtUp));
            }
        }
        return facts;
    }

    /// -1 where there is none.
    private static long number(JsonNode told, String name) {
        var value = told.path(name);
        return value.isIntegralNumber() ? value.longValue() : -1;
    }
}
