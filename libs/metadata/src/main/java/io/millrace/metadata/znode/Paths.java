package io.millrace.metadata.znode;

import java.util.List;
import java.util.Locale;

import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardKind;

/// Where things are, below the chroot. [Place] is the way back.
public final class Paths {
    public static final String CLUSTER_ID = "/cluster/id";
    public static final String CONTROLLER = "/controller";
    public static final String CONTROLLER_EPOCH = "/controller_epoch";
    public static final String BROKERS = "/brokers/ids";
    public static final String BROKER_SEQUENCE = "/brokers/seqid";
    public static final String TOPICS = "/brokers/topics";
    public static final String DELETE_TOPICS = "/admin/delete_topics";
    /// Moves that old tools ask for.
    public static final String REASSIGN_PARTITIONS = "/admin/reassign_partitions";
    public static final String PREFERRED_ELECTION = "/admin/preferred_replica_election";
    public static final String CONFIG = "/config";
    public static final String CONFIG_CHANGES = "/config/changes";
    public static final String PRODUCER_IDS = "/latest_producer_id_block";

    /// Ours, beside Kafka's tree: old tools never look here.
    public static final String SERVICES = "/services";
    /// Raised by each of several batches of writes that belong together, so that none is made after one that was refused.
    public static final String WRITE_FENCE = "/services/write_fence";
    /// A second copy of each topic's id, since tools before Kafka 2.8 erase the one in the topic (KAFKA-14190).
    public static final String TOPIC_IDS = "/services/topic_ids";

    /// What is there, empty, before anything else: tools fail where one is missing.
    public static final List<String> AT_START = List.of("/consumers", BROKERS, TOPICS, BROKER_SEQUENCE, CONFIG_CHANGES,
            "/config/topics", "/config/clients", "/config/users", "/config/brokers", "/config/ips", "/config/groups",
            DELETE_TOPICS,
            "/isr_change_notification", "/log_dir_event_notification", PRODUCER_IDS, services(Role.CONTROLLER),
            services(Role.COORDINATOR), services(Role.ADMIN), "/services/shards", TOPIC_IDS, WRITE_FENCE);

    private static final String SHARDS = "/services/shards";

    private static final String CONFIG_CHANGE_PREFIX = CONFIG_CHANGES + "/config_change_";

    private Paths() {}

    /// Who owns the shards of that kind.
    public static String shards(ShardKind kind) {
        return SHARDS + "/" + kind.name().toLowerCase(Locale.ROOT);
    }

    /// A broker's registration.
    public static String broker(int id) {
        return BROKERS + "/" + id;
    }

    /// The parent of the registrations of a role that is not the brokers'.
    public static String services(Role role) {
        return SERVICES + "/" + role.name().toLowerCase(Locale.ROOT);
    }

    /// A node's registration, whatever its role.
    public static String node(NodeKey node) {
        return node.role() == Role.BROKER ? broker(node.id()) : services(node.role()) + "/" + node.id();
    }

    /// A topic's replicas.
    public static String topic(String name) {
        return TOPICS + "/" + name;
    }

    /// The parent of a topic's partitions.
    public static String partitions(String topic) {
        return topic(topic) + "/partitions";
    }

    /// A partition, the parent of its state.
    public static String partition(String topic, int partition) {
        return partitions(topic) + "/" + partition;
    }

    /// Leader and ISR of a partition.
    public static String partitionState(String topic, int partition) {
        return partition(topic, partition) + "/state";
    }

    /// The second copy of a topic's id.
    public static String topicId(String topic) {
        return TOPIC_IDS + "/" + topic;
    }

    /// The wish that a topic be deleted.
    public static String deleteTopic(String topic) {
        return DELETE_TOPICS + "/" + topic;
    }

    /// The dynamic configuration of a resource.
    public static String config(ConfigResource resource) {
        return CONFIG + "/" + ConfigPaths.entityPath(resource);
    }

    /// What a sequential node that announces a change of configuration begins with.
    public static String configChange() {
        return CONFIG_CHANGE_PREFIX;
    }
}
