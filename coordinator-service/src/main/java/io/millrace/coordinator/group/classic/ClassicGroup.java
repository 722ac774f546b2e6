package io.millrace.coordinator.group.classic;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.record.Bytes;
import io.millrace.coordinator.record.GroupSnapshot;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.pcollections.OrderedPMap;
import org.pcollections.OrderedPSet;
import org.pcollections.PMap;
import org.pcollections.PSet;

/// A classic group at one moment. Immutable; [ClassicMachine] makes the next one.
///
/// @param generation 0 before the first
/// @param protocolType null until a member joined; an empty group keeps the last one, though any may come after it
/// @param protocol the assignor of this generation; null while there is none
/// @param leader a member id; null while there is none
/// @param stateTimestamp wall time since which it is in its phase, in milliseconds; -1 where it is not known
/// @param members by their ids, in the order they came
/// @param pending ids that were handed out and have not joined yet
public record ClassicGroup(String groupId, Phase phase, int generation, @Nullable String protocolType,
        @Nullable String protocol, @Nullable String leader, long stateTimestamp, PMap<String, Member> members,
        PSet<String> pending) {

    /// What a group is before anything happened to it.
    public static ClassicGroup empty(String groupId) {
        return new ClassicGroup(groupId, new Phase.Empty(), 0, null, null, null, -1, OrderedPMap.empty(),
                OrderedPSet.empty());
    }

    /// The group that was stored: stable where it has members.
    public static ClassicGroup restored(String groupId, GroupSnapshot stored) {
        PMap<String, Member> members = OrderedPMap.empty();
        var protocol = stored.protocol() == null ? "" : stored.protocol();
        for (var member : stored.members()) {
            members = members.plus(member.memberId(), Member.restored(member, protocol));
        }
        var phase = members.isEmpty() ? new Phase.Empty() : new Phase.Stable(OrderedPSet.empty());
        return new ClassicGroup(groupId, phase, stored.generation(), stored.protocolType(), stored.protocol(),
                stored.leader(), stored.stateTimestamp(), members, OrderedPSet.empty());
    }

    /// The state's name.
    public GroupState state() {
        return phase.state();
    }

    /// Whether members are on their way to a new generation.
    public boolean isRebalancing() {
        return phase instanceof Phase.Preparing || phase instanceof Phase.Completing;
    }

    /// Whether nothing is known of it, so that it need not be kept.
    public boolean isBlank() {
        return phase instanceof Phase.Empty && generation == 0 && protocolType == null && pending.isEmpty();
    }

    /// Whether a commit by this member, or by nobody in particular, may be taken now. The group must be known to exist.
    ///
    /// @param generationId negative where the client is in no generation
    /// @param transactional whether in a transaction: then it may come while the generation is being completed
    /// @return `NONE`, or Kafka's refusal
    public Errors commitAllowed(String memberId, @Nullable String instanceId, int generationId, boolean transactional) {
        if (phase instanceof Phase.Dead) {
            return Errors.COORDINATOR_NOT_AVAILABLE;
        }
        if (generationId < 0 && phase instanceof Phase.Empty) {
            return Errors.NONE;
        }
        if (generationId < 0 && memberId.isEmpty() && instanceId == null) {
            return Errors.UNKNOWN_MEMBER_ID;
        }
        var stranger = identify(memberId, instanceId);
        if (stranger != Errors.NONE) {
            return stranger;
        }
        if (generationId != generation) {
            return Errors.ILLEGAL_GENERATION;
        }
        return phase instanceof Phase.Completing && !transactional ? Errors.REBALANCE_IN_PROGRESS : Errors.NONE;
    }

    /// While it is being deleted nobody may use it; only an empty group can be.
    public ClassicGroup dead() {
        return at(new Phase.Dead(), stateTimestamp);
    }

    /// It was not deleted after all.
    public ClassicGroup revived() {
        return at(new Phase.Empty(), stateTimestamp);
    }

    /// The topics that the members of a stable consumer group read; empty where that cannot be told, which is also so
    /// for groups of another type.
    public Optional<Set<String>> subscribedTopics() {
        return phase instanceof Phase.Stable ? Subscriptions.topicsOf(this) : Optional.empty();
    }

    /// As it would be stored now.
    public GroupSnapshot snapshot() {
        return snapshot(Map.of());
    }

    /// @param assignments in place of what members have; one that is not named keeps what it has
    GroupSnapshot snapshot(Map<String, Bytes> assignments) {
        var stored = members.values().stream()
                .map(member -> member.snapshot(protocol, assignments.getOrDefault(member.id(), member.assignment())))
                .toList();
        return new GroupSnapshot(protocolType == null ? "" : protocolType, generation, protocol, leader, stateTimestamp,
                stored);
    }

    /// Who a request comes from: `NONE` where it is that member, `FENCED_INSTANCE_ID` where another process took its
    /// place, `UNKNOWN_MEMBER_ID` else.
    Errors identify(String memberId, @Nullable String instanceId) {
        var member = members.get(memberId);
        if (instanceId == null) {
            return member == null ? Errors.UNKNOWN_MEMBER_ID : Errors.NONE;
        }
        if (member != null && instanceId.equals(member.instanceId())) {
            return Errors.NONE;
        }
        return staticMember(instanceId).isPresent() ? Errors.FENCED_INSTANCE_ID : Errors.UNKNOWN_MEMBER_ID;
    }

    Optional<Member> staticMember(String instanceId) {
        return members.values().stream().filter(member -> instanceId.equals(member.instanceId())).findFirst();
    }

    /// Whether a member that offers this may be let in: of the group's type, and with a protocol that all others know.
    boolean accepts(String type, List<Protocol> offered) {
        if (type.isEmpty() || offered.isEmpty()) {
            return false;
        }
        return members.isEmpty() || (type.equals(protocolType)
                && offered.stream().anyMatch(protocol -> allSupport(protocol.name())));
    }

    boolean allSupport(String protocolName) {
        return members.values().stream().allMatch(member -> member.supports(protocolName));
    }

    boolean isLeader(String memberId) {
        return memberId.equals(leader);
    }

    long awaitingJoin() {
        return members.values().stream().filter(Member::awaitsJoin).count();
    }

    /// The longest that a member asked to be waited for.
    int rebalanceTimeoutMillis() {
        return members.values().stream().mapToInt(member -> member.terms().rebalanceTimeoutMillis()).max().orElse(0);
    }

    ClassicGroup at(Phase next, long sinceMillis) {
        return new ClassicGroup(groupId, next, generation, protocolType, protocol, leader, sinceMillis, members,
                pending);
    }

    ClassicGroup ofType(String type) {
        return new ClassicGroup(groupId, phase, generation, type, protocol, leader, stateTimestamp, members, pending);
    }

    ClassicGroup led(@Nullable String newLeader) {
        return new ClassicGroup(groupId, phase, generation, protocolType, protocol, newLeader, stateTimestamp, members,
                pending);
    }

    ClassicGroup nextGeneration(@Nullable String newProtocol) {
        return new ClassicGroup(groupId, phase, generation + 1, protocolType, newProtocol, leader, stateTimestamp,
                members, pending);
    }

    ClassicGroup withPending(PSet<String> newPending) {
        return new ClassicGroup(groupId, phase, generation, protocolType, protocol, leader, stateTimestamp, members,
                newPending);
    }

    ClassicGroup with(Member member) {
        return withMembers(members.plus(member.id(), member));
    }

    ClassicGroup without(String memberId) {
        return withMembers(members.minus(memberId));
    }

    ClassicGroup withEach(UnaryOperator<Member> change) {
        PMap<String, Member> changed = OrderedPMap.empty();
        for (var member : members.values()) {
            changed = changed.plus(member.id(), change.apply(member));
        }
        return withMembers(changed);
    }

    private ClassicGroup withMembers(PMap<String, Member> newMembers) {
        return new ClassicGroup(groupId, phase, generation, protocolType, protocol, leader, stateTimestamp, newMembers,
                pending);
    }
}
