package io.millrace.admin.group;

import java.time.Instant;
import java.util.Locale;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.Group;
import org.jspecify.annotations.Nullable;

/// @param isSimple whether offsets are committed without any member
/// @param partitionAssignor what the members voted for, or the coordinator assigns by; empty while there is none
/// @param type `CLASSIC`, or `CONSUMER` where the new protocol rules the group
/// @param isMixedConsumerGroup whether members of both protocols are in it
/// @param groupEpoch of the new protocol: goes up with whatever changes who reads what; null of a classic group
/// @param assignmentEpoch of the group, for which it was last computed who reads what; null of a classic group
/// @param lastRebalance that the coordinator has seen; null where it has seen none
/// @param coordinator the node that owns the group
record KafkaConsumerGroup(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String consumerGroupId,
        boolean isSimple,
        String partitionAssignor,
        String state,
        Group.Type type,
        boolean isMixedConsumerGroup,
        Related coordinator,
        Related consumers,
        Related lagSummary,
        @Nullable Integer groupEpoch,
        @Nullable Integer assignmentEpoch,
        @Nullable LastRebalance lastRebalance) {

    /// @param at when it began
    /// @param reason why, in words; empty where nobody said
    record LastRebalance(Instant at, String reason) {
        private static @Nullable LastRebalance of(Group.@Nullable Rebalance rebalance) {
            return rebalance == null
                    ? null
                    : new LastRebalance(Instant.ofEpochMilli(rebalance.atMillis()), rebalance.reason());
        }
    }

    static KafkaConsumerGroup of(String clusterId, Group group, int coordinator, Links links) {
        var id = group.id();
        var epochs = group.epochs();
        return new KafkaConsumerGroup("KafkaConsumerGroup",
                links.metadata(clusterId, new Object[]{"consumer-group", id}, "consumer-groups", id), clusterId, id,
                group.protocolType().isEmpty(), group.assignor(), state(group.state()), group.type(), group.isMixed(),
                links.related(clusterId, "coordinators", coordinator),
                links.related(clusterId, "consumer-groups", id, "consumers"),
                links.related(clusterId, "consumer-groups", id, "lag-summary"),
                epochs == null ? null : epochs.group(), epochs == null ? null : epochs.assignment(),
                LastRebalance.of(group.lastRebalance()));
    }

    /// `PreparingRebalance` is `PREPARING_REBALANCE` here.
    static String state(String kafka) {
        return kafka.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }
}
