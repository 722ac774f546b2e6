package io.millrace.coordinator.shard;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

import io.millrace.coordinator.group.consumer.TopicDirectory;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;

/// Keeps the directory of topics up with the image. Written by the one who follows the image, read by any thread.
public final class TopicWatch {
    private volatile TopicDirectory directory = TopicDirectory.EMPTY;

    /// The newest topics.
    public TopicDirectory directory() {
        return directory;
    }

    /// Follows the image: changes of leaders and replicas are none here.
    public void apply(ClusterImage before, ClusterImage after, Changes changes) {
        var names = new HashSet<String>();
        changes.removedTopics().forEach(id -> add(before, id, names));
        changes.topics().stream().filter(id -> partitions(before, id) != partitions(after, id))
                .forEach(id -> add(after, id, names));
        if (!names.isEmpty()) {
            directory = directory.with(after.topics(), names);
        }
    }

    private static int partitions(ClusterImage image, UUID topic) {
        return image.topic(topic).map(found -> found.partitions().size()).orElse(0);
    }

    private static void add(ClusterImage image, UUID topic, Set<String> to) {
        image.topic(topic).ifPresent(found -> to.add(found.name()));
    }
}
