package io.millrace.controller.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.record.MetadataRecord;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;
import io.millrace.metadata.record.MetadataRecord.TopicRemoved;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TopicsByBrokerTest {
    private static final UUID TOPIC = new UUID(0, 1);

    @Test
    void brokerIsFoundByWhatItHoldsLeadsOrIsInSyncWith() {
        var index = TopicsByBroker.EMPTY.after(List.of(new PartitionPut(TOPIC, partition(List.of(1, 2), List.of(3),
                4))));

        for (int broker = 1; broker <= 4; broker++) {
            assertThat(index.of(broker)).containsExactly(TOPIC);
        }
        assertThat(index.of(5)).isEmpty();
    }

    @Test
    void removedTopicIsListedNoMore() {
        var index = TopicsByBroker.EMPTY.after(List.of(new PartitionPut(TOPIC, partition(List.of(1), List.of(1), 1)),
                new TopicRemoved(TOPIC)));

        assertThat(index.of(1)).isEmpty();
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void everyPartitionIsFoundByAllItsBrokers(long seed) {
        var random = new Random(seed);
        var index = TopicsByBroker.EMPTY;
        var model = new HashMap<UUID, Map<Integer, PartitionImage>>();
        for (int step = 0; step < 200; step++) {
            var records = new ArrayList<MetadataRecord>();
            for (int count = random.nextInt(4); count >= 0; count--) {
                var topic = new UUID(0, random.nextInt(6));
                if (random.nextInt(8) == 0) {
                    records.add(new TopicRemoved(topic));
                    model.remove(topic);
                } else {
                    int first = random.nextInt(8);
                    var partition = partition(List.of(first, first + 1), List.of(first), first);
                    records.add(new PartitionPut(topic, partition));
                    model.computeIfAbsent(topic, _ -> new HashMap<>()).put(random.nextInt(3), partition);
                }
            }
            index = index.after(records);
            var now = index;
            model.forEach((topic, partitions) -> partitions.values().forEach(partition -> partition.replicas().forEach(
                    broker -> assertThat(now.of(broker)).contains(topic))));
            for (int broker = 0; broker < 9; broker++) {
                assertThat(model.keySet()).containsAll(index.of(broker));
            }
        }
    }

    static LongStream seeds() {
        return Seeds.of(20);
    }

    private static PartitionImage partition(List<Integer> replicas, List<Integer> isr, int leader) {
        return new PartitionImage(0, replicas, isr, List.of(), List.of(), leader, 0, 0);
    }
}
