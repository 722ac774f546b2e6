package io.millrace.coordinator.group.consumer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.millrace.coordinator.group.classic.ClassicGroup;
import io.millrace.coordinator.group.classic.Phase;
import io.millrace.coordinator.record.Bytes;
import io.millrace.coordinator.record.ConsumerGroupRecord;
import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.EpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.EpochRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetEpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetEpochRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetRemoved;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.GroupPut;
import io.millrace.coordinator.record.GroupSnapshot;
import io.millrace.coordinator.record.MemberAssignment;
import io.millrace.coordinator.record.MemberAssignment.State;
import io.millrace.coordinator.record.MemberMetadata;
import io.millrace.coordinator.record.MemberMetadata.Classic;
import io.millrace.coordinator.record.MemberMetadata.ClassicProtocol;
import io.millrace.coordinator.record.MemberSnapshot;
import io.millrace.coordinator.record.Partitions;

/// A group with members changes its protocol: to that of consumer groups with the first member that speaks it, back to
/// the classic one when the last of these is gone.
public final class Conversion {
    private static final String TYPE = "consumer";

    private Conversion() {}

    /// The records that make a stable classic group of consumers a consumer group in which everybody has what it had;
    /// empty where that cannot be done, or must not.
    static Optional<List<ConsumerGroupRecord>> upgrade(ClassicGroup group, ConsumerRules rules,
            ConsumerContext context) {
        if (!rules.migration().upgrades() || !(group.phase() instanceof Phase.Stable)
                || !TYPE.equals(group.protocolType()) || group.members().size() >= rules.maxSize()) {
            return Optional.empty();
        }
        var groupId = group.groupId();
        var records = new ArrayList<ConsumerGroupRecord>();
        for (var member : group.members().values()) {
            var offered = member.terms().protocols();
            var subscription = ClassicForm.subscription(offered.getFirst().metadata(), context.topics());
            if (subscription.isEmpty()) {
                return Optional.empty();
            }
            var protocols = offered.stream().map(known -> new ClassicProtocol(known.name(), known.metadata())).toList();
            records.add(new MemberPut(groupId, member.id(), new MemberMetadata(member.instanceId(), null,
                    member.client().clientId(), member.client().host(), subscription.get().topics(), null,
                    member.terms().rebalanceTimeoutMillis(), null,
                    new Classic(member.terms().sessionTimeoutMillis(), protocols))));
            var assigned = ClassicForm.assignment(member.assignment(), context.topics());
            records.add(new TargetPut(groupId, member.id(), assigned));
            records.add(new CurrentPut(groupId, member.id(), new MemberAssignment(group.generation(),
                    group.generation(), State.STABLE, assigned, Partitions.NONE)));
        }
        records.add(new EpochPut(groupId, group.generation(), 0));
        records.add(new TargetEpochPut(groupId, group.generation(), context.nowMillis()));
        return Optional.of(records);
    }

    /// Whether nobody is left who speaks the protocol of consumer groups.
    static boolean isDue(ConsumerGroup group, ConsumerRules rules) {
        return rules.migration().downgrades() && !group.members().isEmpty()
                && group.members().values().stream().allMatch(ConsumerMember::isClassic)
                && protocol(group).isPresent();
    }

    /// The records that make a consumer group a classic one in which everybody has what it had.
    static List<GroupRecord> downgrade(ConsumerGroup group, ConsumerContext context) {
        var groupId = group.groupId();
        var protocol = protocol(group).orElseThrow();
        var records = new ArrayList<GroupRecord>();
        var members = new ArrayList<MemberSnapshot>();
        for (var member : group.members().values()) {
            records.add(new CurrentRemoved(groupId, member.id()));
            records.add(new TargetRemoved(groupId, member.id()));
            records.add(new MemberRemoved(groupId, member.id()));
            var metadata = member.metadata();
            var subscription = subscription(member, protocol);
            short version = ClassicForm.subscription(subscription, context.topics())
                    .map(ClassicForm.Subscription::version).orElse((short) 0);
            members.add(new MemberSnapshot(member.id(), metadata.instanceId(), metadata.clientId(),
                    metadata.clientHost(), metadata.rebalanceTimeoutMillis(),
                    Objects.requireNonNull(metadata.classic()).sessionTimeoutMillis(), subscription,
                    ClassicForm.assignment(member.current().assigned(), version, context.topics())));
        }
        records.add(new TargetEpochRemoved(groupId));
        records.add(new EpochRemoved(groupId));
        records.add(new GroupPut(groupId, new GroupSnapshot(TYPE, group.epoch(), protocol,
                members.getFirst().memberId(), context.nowMillis(), members)));
        return records;
    }

    static boolean supports(ConsumerMember member, String protocol) {
        var classic = member.metadata().classic();
        return classic != null && classic.protocols().stream().anyMatch(known -> known.name().equals(protocol));
    }

    private static Optional<String> protocol(ConsumerGroup group) {
        var first = group.members().values().iterator().next().metadata().classic();
        return first == null
                ? Optional.empty()
                : first.protocols().stream().map(ClassicProtocol::name)
                        .filter(name -> group.members().values().stream().allMatch(member -> supports(member, name)))
                        .findFirst();
    }

    private static Bytes subscription(ConsumerMember member, String protocol) {
        return Objects.requireNonNull(member.metadata().classic()).protocols().stream()
                .filter(known -> known.name().equals(protocol)).map(ClassicProtocol::subscription).findFirst()
                .orElse(Bytes.EMPTY);
    }
}
