package io.millrace.metadata.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import io.millrace.metadata.image.EligibleReplica;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.record.MetadataRecord.ClusterIdentified;
import io.millrace.metadata.record.MetadataRecord.ConfigPut;
import io.millrace.metadata.record.MetadataRecord.ControllerElected;
import io.millrace.metadata.record.MetadataRecord.NodePut;
import io.millrace.metadata.record.MetadataRecord.NodeRemoved;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;
import io.millrace.metadata.record.MetadataRecord.ShardPut;
import io.millrace.metadata.record.MetadataRecord.TopicPut;
import io.millrace.metadata.record.MetadataRecord.TopicRemoved;

/// A cluster that changes at random, the same for the same seed.
public final class RandomCluster {
    private final Random random;
    private ClusterImage image;

    /// A cluster without anything, under a controller of that epoch.
    public RandomCluster(long seed, int controllerEpoch) {
        random = new Random(seed);
        image = ClusterImage.EMPTY.at(new MetadataVersion(controllerEpoch, 0));
    }

    /// What it looks like now.
    public ClusterImage image() {
        return image;
    }

    /// Changes it by one to five records.
    public Delta change() {
        var records = new ArrayList<MetadataRecord>();
        var before = image;
        for (int i = random.nextInt(5); i >= 0; i--) {
            var record = record();
            records.add(record);
            image = Replay.apply(image, List.of(record));
        }
        image = image.at(before.version().next());
        return new Delta(before.version(), image.version(), records);
    }

    private MetadataRecord record() {
        var topics = new ArrayList<>(image.topics().all());
        return switch (random.nextInt(topics.isEmpty() ? 6 : 10)) {
            case 0 -> new ClusterIdentified("cluster" + random.nextInt(3));
            case 1 -> new ControllerElected(random.nextInt(3), image.version().controllerEpoch());
            case 2 -> new NodePut(node());
            case 3 -> new NodeRemoved(oneOf(Role.values()), random.nextInt(4));
            case 4 -> new ConfigPut(new ConfigResource(oneOf(ConfigType.values()), "name" + random.nextInt(4)),
                    random.nextBoolean()
                            ? Map.of()
                            : Map.of("key" + random.nextInt(3), "", "other", "väl" + random
                                    .nextInt()));
            case 5 -> new TopicPut("topic" + random.nextInt(5), new UUID(random.nextLong(), random.nextLong()));
            case 6 -> new TopicRemoved(oneOf(topics.toArray(TopicImage[]::new)).id());
            case 7 -> new ShardPut(random.nextBoolean() ? ShardKind.GROUP : ShardKind.TRANSACTION, new ShardImage(random
                    .nextInt(50), random.nextInt(-1, 1003), random.nextInt(9), random.nextInt(-1, 1003)));
            default -> partition(oneOf(topics.toArray(TopicImage[]::new)));
        };
    }

    private NodeImage node() {
        return new NodeImage(oneOf(Role.values()), random.nextInt(4), random.nextLong(1L << 40),
                List.of(new Endpoint("PLAINTEXT", "PLAINTEXT", "host", 1 + random.nextInt(65_535)),
                        new Endpoint("EXT", "SSL", "::1", 9094)),
                random.nextBoolean() ? null : "rack" + random.nextInt(2), random.nextBoolean() ? null : "http://h:1",
                random.nextBoolean() ? "" : "0.1.0", oneOf(NodeState.values()), random.nextBoolean()
                        ? Map.of()
                        : Map.of(new UUID(1, random.nextLong()), Set.of(0, random.nextInt(1, 5_000))));
    }

    private PartitionPut partition(TopicImage topic) {
        int number = random.nextInt(topic.partitions().size() + 1);
        return new PartitionPut(topic.id(), new PartitionImage(number, List.of(1, 2, random.nextInt(3, 2_000)),
                List.of(1), random.nextBoolean() ? List.of() : List.of(4), random.nextBoolean()
                        ? List.of()
                        : List.of(
                                5), random.nextInt(-2, 3), random.nextInt(100), random.nextInt(1_000_000), random
                                        .nextBoolean()
                                                ? List.of()
                                                : List.of(new EligibleReplica(2, "life"), new EligibleReplica(random
                                                        .nextInt(3,
                                                                2_000), ""))));
    }

    private <T> T oneOf(T[] values) {
        return values[random.nextInt(values.length)];
    }
}
