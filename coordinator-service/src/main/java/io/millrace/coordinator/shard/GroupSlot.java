package io.millrace.coordinator.shard;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import io.millrace.coordinator.group.ClientIdentity;
import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.group.LastRebalance;
import io.millrace.coordinator.group.classic.ClassicGroup;
import io.millrace.coordinator.group.classic.Phase;
import io.millrace.coordinator.group.consumer.ConsumerGroup;
import io.millrace.coordinator.group.consumer.TopicDirectory;
import io.millrace.coordinator.offsets.GroupOffsets;
import io.millrace.coordinator.offsets.GroupUse;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.GroupRemoved;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// A group and its offsets. Changed through [GroupTable] alone.
final class GroupSlot {
    /// Clients whose software is kept: more of one group look alike.
    private static final int MOST_SOFTWARE = 1_000;

    private final String groupId;
    private final GroupOffsets offsets = new GroupOffsets();
    private ClassicGroup group;
    private @Nullable ConsumerGroup consumer;
    private final Map<String, String> software = new LinkedHashMap<>();
    private @Nullable LastRebalance lastRebalance;
    private int commitsInFlight;
    private boolean changing;

    GroupSlot(String groupId) {
        this.groupId = groupId;
        group = ClassicGroup.empty(groupId);
    }

    String groupId() {
        return groupId;
    }

    /// The classic group; an empty one where it is a consumer group.
    ClassicGroup group() {
        return group;
    }

    Optional<ConsumerGroup> consumer() {
        return Optional.ofNullable(consumer);
    }

    GroupState state() {
        return consumer == null ? group.state() : consumer.state();
    }

    /// Whether nobody is in it, or about to be.
    boolean isEmpty() {
        return state() == GroupState.EMPTY && group.pending().isEmpty() && !changing;
    }

    /// What takes the group out of the log, once it is empty.
    List<GroupRecord> removal() {
        return consumer == null ? List.of(new GroupRemoved(groupId)) : consumer.removal();
    }

    /// Whether a commit may be taken now.
    Errors commitAllowed(OffsetCommitRequestData request, boolean transactional) {
        return consumer == null
                ? group.commitAllowed(request.memberId(), request.groupInstanceId(),
                        request.generationIdOrMemberEpoch(), transactional)
                : consumer.commitAllowed(request.memberId(), request.groupInstanceId(),
                        request.generationIdOrMemberEpoch());
    }

    /// Whether offsets may be fetched now.
    Errors fetchAllowed(OffsetFetchRequestGroup request) {
        return consumer == null ? Errors.NONE : consumer.fetchAllowed(request.memberId(), request.memberEpoch());
    }

    GroupOffsets offsets() {
        return offsets;
    }

    /// Whether commits or a change of the consumer group are on their way, so that neither the group nor its offsets may
    /// be taken for old.
    boolean isBusy() {
        return commitsInFlight > 0 || changing;
    }

    boolean isBlank() {
        return group.isBlank() && consumer == null && offsets.isEmpty() && !isBusy();
    }

    /// @param topics tell what patterns stand for
    GroupUse use(TopicDirectory topics) {
        if (consumer != null) {
            return consumer.dead()
                    ? new GroupUse.InUse()
                    : new GroupUse.Subscribed(consumer.subscribedTopics(topics));
        }
        return switch (group.phase()) {
            case Phase.Empty() -> group.protocolType() == null || group.protocolType().isEmpty()
                    ? new GroupUse.Simple()
                    : new GroupUse.Abandoned(group.stateTimestamp());
            case Phase.Stable(_) ->
                group.subscribedTopics().<GroupUse>map(GroupUse.Subscribed::new).orElseGet(GroupUse.InUse::new);
            case Phase.Preparing(_),Phase.Completing(_),Phase.Dead() -> new GroupUse.InUse();
        };
    }

    void group(ClassicGroup next) {
        group = next;
    }

    void consumer(@Nullable ConsumerGroup next) {
        consumer = next;
    }

    /// A rebalance begins.
    void rebalances(LastRebalance next) {
        lastRebalance = next;
    }

    /// The last one that this owner has seen.
    Optional<LastRebalance> lastRebalance() {
        return Optional.ofNullable(lastRebalance);
    }

    /// When anything was last heard of the group, in wall time: a commit, the end of its last member, a rebalance that this
    /// owner has seen. Empty where nothing is known.
    OptionalLong lastSignMillis() {
        long sign = Math.max(offsets.lastCommitMillis().orElse(-1), group.stateTimestamp());
        sign = Math.max(sign, lastRebalance == null ? -1 : lastRebalance.atMillis());
        return sign < 0 ? OptionalLong.empty() : OptionalLong.of(sign);
    }

    /// A client asks to be in the group.
    void joins(ClientIdentity client) {
        if (!client.software().isEmpty() && (software.size() < MOST_SOFTWARE || software.containsKey(key(client
                .clientId(), client.host())))) {
            software.put(key(client.clientId(), client.host()), client.software());
        }
    }

    /// What a member's client said that it is, as far as it is known.
    Optional<String> software(String clientId, String host) {
        return Optional.ofNullable(software.get(key(clientId, host)));
    }

    private static String key(String clientId, String host) {
        return clientId + " " + host;
    }

    /// Records of the consumer group are on their way, or no longer.
    void changing(boolean nextChanging) {
        changing = nextChanging;
    }

    void commitBegins() {
        commitsInFlight++;
    }

    void commitEnds() {
        commitsInFlight--;
    }
}
