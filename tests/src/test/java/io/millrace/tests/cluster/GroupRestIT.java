package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.millrace.tests.compatibility.Kafka;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// A group of the new protocol (KIP-848) as the REST API shows it.
@UsesClusters
class GroupRestIT {
    private static final String GROUP = "rest-groups";
    private static final String PATH = "consumer-groups/" + GROUP;

    private final Kafka kafka;
    private final Rest rest;

    GroupRestIT(Clusters clusters) {
        var cluster = clusters.of(Mode.CLUSTER);
        kafka = new Kafka(cluster.bootstrap());
        rest = new Rest(cluster.status().admin());
    }

    @Test
    void memberOfTheNewProtocolIsDescribedSentAwayAndMissed() {
        kafka.create("rest-groups-1", 2);
        kafka.create("rest-groups-2", 1);
        var began = Instant.now().minusSeconds(1);
        try (var consumer = kafka.consumer(Map.of("group.protocol", "consumer", "group.id", GROUP, "client.rack",
                "r-1"))) {
            consumer.subscribe(new SubscriptionPattern("rest-groups-[12]"));
            await().atMost(Kafka.LIMIT).until(() -> {
                consumer.poll(Duration.ofMillis(100));
                return consumer.assignment().size() == 3;
            });
            consumer.commitSync(Map.of(new TopicPartition("rest-groups-1", 0), new OffsetAndMetadata(0)));

            var group = rest.get(PATH);
            assertThat(group.at("/type").stringValue()).isEqualTo("CONSUMER");
            assertThat(group.at("/state").stringValue()).isEqualTo("STABLE");
            assertThat(group.at("/partition_assignor").stringValue()).isEqualTo("uniform");
            assertThat(group.at("/group_epoch").intValue()).isPositive().isEqualTo(group.at("/assignment_epoch")
                    .intValue());
            assertThat(rest.get("consumer-groups?type=CONSUMER&prefix=" + GROUP).at("/data")).hasSize(1);
            var member = rest.get(PATH + "/consumers").at("/data/0");
            assertThat(member.at("/software").stringValue()).startsWith("apache-kafka-java");
            assertThat(member.at("/assigned")).hasSize(3);
            assertThat(member.at("/subscription/topic_regex").stringValue()).isEqualTo("rest-groups-[12]");
            assertThat(member.at("/subscription/rack_id").stringValue()).isEqualTo("r-1");
            assertThat(member.at("/subscription/target")).hasSize(3);
            assertThat(member.at("/subscription/member_epoch").intValue()).isEqualTo(group.at("/group_epoch")
                    .intValue());
            assertThat(Instant.parse(rest.get(PATH + "/offsets").at("/data/0/committed_at").stringValue())).isBetween(
                    began, Instant.now().plusSeconds(1));
            assertThat(isStale()).isFalse();

            rest.send("DELETE", PATH + "/consumers/" + member.at("/consumer_id").stringValue(), "");

            // It comes back by itself, in a later epoch.
            await().atMost(Kafka.LIMIT).until(() -> {
                consumer.poll(Duration.ofMillis(100));
                return rest.get(PATH).at("/group_epoch").intValue() > group.at("/group_epoch").intValue() && consumer
                        .assignment().size() == 3;
            });
        }
        await().atMost(Kafka.LIMIT).until(this::isStale);
    }

    private boolean isStale() {
        for (JsonNode group : rest.get("consumer-groups:stale?idle_days=0").at("/data")) {
            if (group.at("/consumer_group_id").stringValue().equals(GROUP)) {
                return true;
            }
        }
        return false;
    }
}
