package io.millrace.admin.upstream;

import java.util.List;

import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// A group of consumers of either protocol, as its coordinator describes it.
///
/// @param protocolType `consumer`, another one (Connect's), or empty where clients commit on their own
/// @param assignor what its members voted for, or the coordinator assigns by; empty while there is none
/// @param state by Kafka's name, such as `PreparingRebalance`
/// @param epochs of a group of the new protocol; null of a classic one
/// @param lastRebalance that its coordinator has seen; null where it has seen none
public record Group(String id, Type type, String protocolType, String assignor, String state, @Nullable Epochs epochs,
        @Nullable Rebalance lastRebalance, List<Member> members) {

    public Group {
        members = List.copyOf(members);
    }

    /// Which protocol rules a group.
    public enum Type {
        CLASSIC, CONSUMER;

        /// By the name that ListGroups has for it; empty in its first versions, which know no other than classic ones.
        static Type of(String listed) {
            return listed.equalsIgnoreCase(CONSUMER.name()) ? CONSUMER : CLASSIC;
        }
    }

    /// How far a group of the new protocol is.
    ///
    /// @param group goes up with whatever changes who reads what
    /// @param assignment of the group, for which the targets were computed
    public record Epochs(int group, int assignment) {}

    /// @param atMillis when it began, since 1970
    /// @param reason why, in words; empty where nobody said
    public record Rebalance(long atMillis, String reason) {}

    /// @param instanceId of a static member; null of any other
    /// @param software what its client said that it is; null where that is not known
    /// @param assigned what it reads
    /// @param subscription what a group of the new protocol knows of its members; null in a classic one
    public record Member(String id, @Nullable String instanceId, String clientId, String host,
            @Nullable String software, List<TopicPartition> assigned, @Nullable Subscription subscription) {

        public Member {
            assigned = List.copyOf(assigned);
        }
    }

    /// A member of a group of the new protocol.
    ///
    /// @param type of the protocol that it speaks itself
    /// @param epoch that it has reached
    /// @param rack where it runs; null where it did not say
    /// @param topics that it named
    /// @param pattern of the topics that it asked for so; null where it did not
    /// @param target what it is to read in the end
    public record Subscription(Type type, int epoch, @Nullable String rack, List<String> topics,
            @Nullable String pattern, List<TopicPartition> target) {

        public Subscription {
            topics = List.copyOf(topics);
            target = List.copyOf(target);
        }
    }

    /// Whether members of both protocols are in it.
    public boolean isMixed() {
        return type == Type.CONSUMER && members.stream().map(Member::subscription).anyMatch(
                subscription -> subscription != null && subscription.type == Type.CLASSIC);
    }
}
