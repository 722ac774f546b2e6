package io.millrace.standalone.ready;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/// Asks over the Kafka protocol whether a client would be served at once: every node is listed, every partition has a
/// leader that knows it, every shard of the groups has a coordinator that has loaded it, and a group can be joined.
final class KafkaProbe {

    private static final short METADATA = 9;
    private static final short LIST_OFFSETS = 4;
    private static final short FIND_COORDINATOR = 4;
    private static final short DESCRIBE_GROUPS = 5;
    private static final short JOIN_GROUP = 5;
    private static final long LATEST = -1;
    private static final String GROUP = "millrace-ready-";

    private final Duration timeout;

    /// @param host where it listens
    record Node(int id, String host, int port) {}

    KafkaProbe(Duration timeout) {
        this.timeout = timeout;
    }

    /// Asks the node at `host:port`, and from there those it names.
    ///
    /// @param expected ids of the brokers and coordinators that must be listed
    /// @param brokers ids of those among them that are brokers: a partition that lives on none of them may be without a leader
    void check(String host, int port, Set<Integer> expected, Set<Integer> brokers) throws NotReady {
        var metadata = (MetadataResponseData) ask(new Node(-1, host, port),
                new MetadataRequestData().setTopics(null), METADATA);
        Map<Integer, Node> nodes = metadata.brokers().stream()
                .collect(Collectors.toMap(it -> it.nodeId(), it -> new Node(it.nodeId(), it.host(), it.port())));
        if (!nodes.keySet().containsAll(expected)) {
            var missing = new TreeSet<>(expected);
            missing.removeAll(nodes.keySet());
            throw new NotReady("nodes that have not joined: " + missing);
        }
        checkLeaders(metadata.topics(), nodes, brokers);
        checkGroups(metadata, nodes, new Node(-1, host, port));
    }

    private void checkLeaders(Collection<MetadataResponseTopic> topics, Map<Integer, Node> nodes, Set<Integer> brokers)
            throws NotReady {
        var byLeader = new HashMap<Integer, List<ListOffsetsTopic>>();
        for (MetadataResponseTopic topic : topics) {
            for (MetadataResponsePartition partition : topic.partitions()) {
                if (nodes.containsKey(partition.leaderId())) {
                    byLeader.computeIfAbsent(partition.leaderId(), _ -> new ArrayList<>()).add(end(topic, partition));
                } else if (partition.replicaNodes().stream().anyMatch(brokers::contains)) {
                    throw new NotReady(topic.name() + "-" + partition.partitionIndex() + " has no leader");
                }
            }
        }
        for (var led : byLeader.entrySet()) {
            checkEnds(node(nodes, led.getKey()), led.getValue());
        }
    }

    private static ListOffsetsTopic end(MetadataResponseTopic topic, MetadataResponsePartition partition) {
        var end = new ListOffsetsPartition().setPartitionIndex(partition.partitionIndex()).setTimestamp(LATEST);
        return new ListOffsetsTopic().setName(topic.name()).setPartitions(List.of(end));
    }

    private void checkEnds(Node leader, List<ListOffsetsTopic> topics) throws NotReady {
        var ends = (ListOffsetsResponseData) ask(leader,
                new ListOffsetsRequestData().setReplicaId(-1).setTopics(topics), LIST_OFFSETS);
        for (var topic : ends.topics()) {
            for (var partition : topic.partitions()) {
                require(partition.errorCode(), "node " + leader.id() + " does not serve " + topic.name() + "-"
                        + partition.partitionIndex());
            }
        }
    }

    private void checkGroups(MetadataResponseData metadata, Map<Integer, Node> nodes, Node any) throws NotReady {
        var offsets = metadata.topics().find(Topic.GROUP_METADATA_TOPIC_NAME);
        if (offsets == null || offsets.partitions().isEmpty()) {
            throw new NotReady(Topic.GROUP_METADATA_TOPIC_NAME + " does not exist yet");
        }
        List<String> groups = oneGroupAShard(offsets.partitions().size());
        var found = (FindCoordinatorResponseData) ask(any,
                new FindCoordinatorRequestData().setKeyType((byte) 0).setCoordinatorKeys(groups), FIND_COORDINATOR);
        var byCoordinator = new HashMap<Integer, List<String>>();
        for (var coordinator : found.coordinators()) {
            require(coordinator.errorCode(), "no coordinator for group " + coordinator.key());
            byCoordinator.computeIfAbsent(coordinator.nodeId(), _ -> new ArrayList<>()).add(coordinator.key());
        }
        for (var entry : byCoordinator.entrySet()) {
            Node coordinator = node(nodes, entry.getKey());
            checkLoaded(coordinator, entry.getValue());
            checkJoin(coordinator, entry.getValue().getFirst());
        }
    }

    private void checkLoaded(Node coordinator, List<String> groups) throws NotReady {
        var described = (DescribeGroupsResponseData) ask(coordinator, new DescribeGroupsRequestData().setGroups(groups),
                DESCRIBE_GROUPS);
        for (var group : described.groups()) {
            require(group.errorCode(), "coordinator " + coordinator.id() + " does not serve group " + group.groupId());
        }
    }

    /// A first join is answered with a member id to come back with, and leaves nothing behind.
    private void checkJoin(Node coordinator, String group) throws NotReady {
        var join = new JoinGroupRequestData().setGroupId(group).setMemberId("").setProtocolType("consumer")
                .setSessionTimeoutMs(10_000).setRebalanceTimeoutMs(10_000);
        join.protocols().add(new JoinGroupRequestProtocol().setName("range").setMetadata(new byte[0]));
        var joined = (JoinGroupResponseData) ask(coordinator, join, JOIN_GROUP);
        if (joined.errorCode() != Errors.MEMBER_ID_REQUIRED.code()) {
            require(joined.errorCode(), "coordinator " + coordinator.id() + " lets nobody join a group");
        }
    }

    /// Group ids of which each falls into another shard, so that all shards are asked for.
    static List<String> oneGroupAShard(int shards) {
        var byShard = new HashMap<Integer, String>();
        for (int i = 0; byShard.size() < shards; i++) {
            byShard.putIfAbsent(((GROUP + i).hashCode() & Integer.MAX_VALUE) % shards, GROUP + i);
        }
        return List.copyOf(byShard.values());
    }

    private static Node node(Map<Integer, Node> nodes, int id) throws NotReady {
        Node node = nodes.get(id);
        if (node == null) {
            throw new NotReady("node " + id + " is named and not listed");
        }
        return node;
    }

    private static void require(short errorCode, String otherwise) throws NotReady {
        if (errorCode != Errors.NONE.code()) {
            throw new NotReady(otherwise + ": " + Errors.forCode(errorCode));
        }
    }

    private ApiMessage ask(Node node, ApiMessage request, short version) throws NotReady {
        try (var connection = new KafkaConnection(node.host(), node.port(), timeout)) {
            return connection.send(request, version);
        } catch (IOException e) {
            throw new NotReady("node at " + node.host() + ":" + node.port() + " does not answer: " + e);
        }
    }
}
