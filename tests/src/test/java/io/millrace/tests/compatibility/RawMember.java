package io.millrace.tests.compatibility;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import reactor.netty.resources.LoopResources;

/// A member of a classic group with a connection of its own, which says only what it is told to say.
final class RawMember implements AutoCloseable {
    private static final int SESSION_MILLIS = 30_000;

    private final NodeClient client;
    private final String group;
    private final NodeAddress coordinator;
    private String id = "";
    private int generation = -1;

    /// @param group whose coordinator is asked; any where it is empty
    RawMember(LoopResources loops, String bootstrap, String group) {
        this.client = NodeClient.create("raw", loops);
        this.group = group;
        this.coordinator = find(address(bootstrap), group.isEmpty() ? "any" : group);
    }

    private static NodeAddress address(String bootstrap) {
        var first = bootstrap.split(",", -1)[0];
        int colon = first.lastIndexOf(':');
        return new NodeAddress(first.substring(0, colon), Integer.parseInt(first.substring(colon + 1)));
    }

    private NodeAddress find(NodeAddress node, String key) {
        var found = new AtomicReference<@Nullable NodeAddress>();
        await().atMost(Kafka.LIMIT).until(() -> {
            var answer = Kafka.await(client.<FindCoordinatorResponseData>send(node, new FindCoordinatorRequestData()
                    .setCoordinatorKeys(List.of(key)), Kafka.LIMIT)).coordinators().getFirst();
            found.set(answer.errorCode() == Errors.NONE.code() ? new NodeAddress(answer.host(), answer.port()) : null);
            return found.get() != null;
        });
        return Objects.requireNonNull(found.get());
    }

    /// Asks the coordinator.
    <A extends ApiMessage> CompletableFuture<A> send(ApiMessage request) {
        return client.send(coordinator, request, Kafka.LIMIT);
    }

    String id() {
        return id;
    }

    int generation() {
        return generation;
    }

    /// What it would ask to join with.
    JoinGroupRequestData request(String type, int sessionMillis, String... protocols) {
        var request = new JoinGroupRequestData().setGroupId(group).setMemberId(id).setProtocolType(type)
                .setSessionTimeoutMs(sessionMillis).setRebalanceTimeoutMs(10_000);
        for (var protocol : protocols) {
            request.protocols().add(new JoinGroupRequestProtocol().setName(protocol).setMetadata(new byte[]{1}));
        }
        return request;
    }

    /// Asks to join until it is known under an id; the answer comes with that of all others.
    CompletableFuture<JoinGroupResponseData> join(String... protocols) {
        var first = this.<JoinGroupResponseData>send(request("consumer", SESSION_MILLIS, protocols));
        return first.thenCompose(answer -> {
            if (answer.errorCode() != Errors.MEMBER_ID_REQUIRED.code()) {
                return CompletableFuture.completedFuture(answer);
            }
            id = answer.memberId();
            return this.<JoinGroupResponseData>send(request("consumer", SESSION_MILLIS, protocols));
        }).thenApply(answer -> {
            generation = answer.generationId();
            return answer;
        });
    }

    /// @param assignments of the leader's; empty of any other
    CompletableFuture<SyncGroupResponseData> sync(String protocol, Map<String, byte[]> assignments) {
        return send(new SyncGroupRequestData().setGroupId(group).setMemberId(id).setGenerationId(generation)
                .setProtocolType("consumer").setProtocolName(protocol).setAssignments(assignments.entrySet().stream()
                        .map(entry -> new SyncGroupRequestAssignment().setMemberId(entry.getKey()).setAssignment(entry
                                .getValue())).toList()));
    }

    Errors beat() {
        return Errors.forCode(Kafka.await(this.<HeartbeatResponseData>send(new HeartbeatRequestData().setGroupId(group)
                .setMemberId(id).setGenerationId(generation))).errorCode());
    }

    /// Its connection breaks; nobody is told that it leaves.
    @Override
    public void close() {
        client.close();
    }

    /// Threads for such members.
    static LoopResources loops() {
        return LoopResources.create("raw-members", 1, true);
    }

    static void end(LoopResources loops) {
        loops.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).block(Duration.ofSeconds(10));
    }
}
