package io.millrace.bench.groups;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/// A classic group of one member, with a connection of its own and nothing of a client but the protocol, so that a thousand of
/// them cost little. What fails is tried again as Kafka's Java client does by default. Used by one thread at a time.
final class RawGroup implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long RETRY_NANOS = Duration.ofMillis(100).toNanos();
    private static final int SESSION_MILLIS = 300_000;

    private final NodeClient client;
    private final List<NodeAddress> bootstrap;
    private final String group;
    private NodeAddress coordinator;
    private int coordinatorId = -1;
    private String member = "";
    private int generation = -1;
    private int joins;
    private int asked;

    RawGroup(NodeClient client, String bootstrap, String group) {
        this.client = client;
        this.group = group;
        this.bootstrap = Arrays.stream(bootstrap.split(",", -1)).map(address -> new NodeAddress(address.substring(0,
                address.lastIndexOf(':')), Integer.parseInt(address.substring(address.lastIndexOf(':') + 1))))
                .toList();
        asked = Math.floorMod(group.hashCode(), this.bootstrap.size());
        coordinator = this.bootstrap.getFirst();
    }

    /// Of the node that coordinates it, as far as is known.
    int coordinatorId() {
        return coordinatorId;
    }

    /// How often it had to join.
    int joins() {
        return joins;
    }

    void find() {
        while (true) {
            try {
                var found = this.<FindCoordinatorResponseData>ask(bootstrap.get(asked), new FindCoordinatorRequestData()
                        .setCoordinatorKeys(List.of(group))).coordinators().getFirst();
                if (found.errorCode() == Errors.NONE.code()) {
                    coordinator = new NodeAddress(found.host(), found.port());
                    coordinatorId = found.nodeId();
                    return;
                }
            } catch (Unreachable unreachable) {
                asked = (asked + 1) % bootstrap.size();
            }
            LockSupport.parkNanos(RETRY_NANOS);
        }
    }

    /// Joins as the only member.
    void join() {
        joins++;
        while (!joined()) {
            LockSupport.parkNanos(RETRY_NANOS);
            find();
        }
    }

    private boolean joined() {
        try {
            var joined = askToJoin();
            if (joined.errorCode() == Errors.MEMBER_ID_REQUIRED.code()) {
                member = joined.memberId();
                joined = askToJoin();
            }
            if (joined.errorCode() == Errors.UNKNOWN_MEMBER_ID.code()) {
                member = "";
            }
            if (joined.errorCode() != Errors.NONE.code()) {
                return false;
            }
            generation = joined.generationId();
            return this.<SyncGroupResponseData>ask(coordinator, new SyncGroupRequestData().setGroupId(group)
                    .setMemberId(
                            member).setGenerationId(generation).setProtocolType("consumer").setProtocolName("range")
                    .setAssignments(List.of(new SyncGroupRequestAssignment().setMemberId(member)
                            .setAssignment(new byte[]{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))))
                    .errorCode() == Errors.NONE.code();
        } catch (Unreachable unreachable) {
            return false;
        }
    }

    private JoinGroupResponseData askToJoin() throws Unreachable {
        var request = new JoinGroupRequestData().setGroupId(group).setMemberId(member).setProtocolType("consumer")
                .setSessionTimeoutMs(SESSION_MILLIS).setRebalanceTimeoutMs(SESSION_MILLIS);
        request.protocols().add(new JoinGroupRequestProtocol().setName("range").setMetadata(new byte[]{0, 0, 0, 0, 0, 0,
                0, 0, 0, 0}));
        return ask(coordinator, request);
    }

    /// Commits until it is taken; joins again only where the coordinator knows the member no longer.
    void commit(String topic, Uuid topicId, int partition, long offset) {
        while (true) {
            try {
                var request = commitRequest(topic, topicId, List.of(partition), offset);
                var error = Errors.forCode(this.<OffsetCommitResponseData>ask(coordinator, request).topics().getFirst()
                        .partitions().getFirst().errorCode());
                switch (error) {
                    case NONE -> {
                        return;
                    }
                    case UNKNOWN_MEMBER_ID, ILLEGAL_GENERATION, REBALANCE_IN_PROGRESS -> join();
                    case COORDINATOR_LOAD_IN_PROGRESS -> LockSupport.parkNanos(RETRY_NANOS);
                    default -> {
                        LockSupport.parkNanos(RETRY_NANOS);
                        find();
                    }
                }
            } catch (Unreachable unreachable) {
                LockSupport.parkNanos(RETRY_NANOS);
                find();
            }
        }
    }

    /// Commits the same offset for many partitions at once, without being a member.
    void commitAll(String topic, Uuid topicId, List<Integer> partitions, long offset) {
        try {
            this.<OffsetCommitResponseData>ask(coordinator, commitRequest(topic, topicId, partitions, offset)).topics()
                    .forEach(answered -> answered.partitions().forEach(partition -> {
                        if (partition.errorCode() != Errors.NONE.code()) {
                            throw new IllegalStateException("commit: " + Errors.forCode(partition.errorCode()));
                        }
                    }));
        } catch (Unreachable unreachable) {
            throw new IllegalStateException(unreachable);
        }
    }

    private OffsetCommitRequestData commitRequest(String topic, Uuid topicId, List<Integer> partitions, long offset) {
        var all = new ArrayList<OffsetCommitRequestPartition>();
        partitions.forEach(partition -> all.add(new OffsetCommitRequestPartition().setPartitionIndex(partition)
                .setCommittedOffset(offset).setCommittedMetadata("")));
        return new OffsetCommitRequestData().setGroupId(group).setMemberId(member).setGenerationIdOrMemberEpoch(
                generation).setTopics(List.of(new OffsetCommitRequestTopic().setName(topic).setTopicId(topicId)
                        .setPartitions(all)));
    }

    /// The number of offsets that the group has, once its coordinator tells them.
    int offsets() {
        while (true) {
            try {
                var told = this.<OffsetFetchResponseData>ask(coordinator, new OffsetFetchRequestData().setGroups(List
                        .of(new OffsetFetchRequestGroup().setGroupId(group).setTopics(null)))).groups().getFirst();
                if (told.errorCode() == Errors.NONE.code()) {
                    return told.topics().stream().mapToInt(topic -> topic.partitions().size()).sum();
                }
                LockSupport.parkNanos(RETRY_NANOS);
                if (told.errorCode() != Errors.COORDINATOR_LOAD_IN_PROGRESS.code()) {
                    find();
                }
            } catch (Unreachable unreachable) {
                LockSupport.parkNanos(RETRY_NANOS);
                find();
            }
        }
    }

    /// No answer came.
    private static final class Unreachable extends Exception {
        private static final long serialVersionUID = 1;

        Unreachable(Throwable cause) {
            super(cause);
        }
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // the kind of an answer follows from that of its request
    private <A extends ApiMessage> A ask(NodeAddress node, ApiMessage request) throws Unreachable {
        try {
            return client.<A>send(node, request, TIMEOUT).join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof IOException || failure.getCause() instanceof TimeoutException) {
                throw new Unreachable(failure.getCause());
            }
            throw failure;
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
