package io.millrace.coordinator.record;

import java.util.ArrayList;

/// The value of a classic group. Fields and the versions that have them:
///
/// | field | type | versions |
/// |---|---|---|
/// | protocolType | string | all |
/// | generation | int32 | all |
/// | protocol | nullable string | all |
/// | leader | nullable string | all |
/// | currentStateTimestamp | int64 | 2+ |
/// | members | array | all |
/// | … memberId | string | all |
/// | … groupInstanceId | nullable string | 3+ |
/// | … clientId, clientHost | string | all |
/// | … rebalanceTimeout | int32 | 1+, before that the session timeout |
/// | … sessionTimeout | int32 | all |
/// | … subscription, assignment | bytes | all |
///
/// Version 4 has the same fields in the flexible encoding.
final class GroupValues {
    private static final short WITH_REBALANCE_TIMEOUT = 1;
    private static final short WITH_STATE_TIMESTAMP = 2;
    private static final short WITH_INSTANCE_ID = 3;
    private static final short FLEXIBLE = 4;
    private static final int UNKNOWN_TIME = -1;

    private GroupValues() {}

    /// Version 3, as Kafka 2.3 to 3.9.
    static Bytes encode(GroupSnapshot group) {
        var out = new SchemaWriter().int16(WITH_INSTANCE_ID)
                .string(group.protocolType())
                .int32(group.generation())
                .nullableString(group.protocol())
                .nullableString(group.leader())
                .int64(group.stateTimestamp())
                .int32(group.members().size());
        for (var member : group.members()) {
            out.string(member.memberId())
                    .nullableString(member.instanceId())
                    .string(member.clientId())
                    .string(member.clientHost())
                    .int32(member.rebalanceTimeoutMillis())
                    .int32(member.sessionTimeoutMillis())
                    .byteArray(member.subscription())
                    .byteArray(member.assignment());
        }
        return out.bytes();
    }

    static GroupSnapshot decode(SchemaReader in) {
        short version = in.int16();
        if (version < 0 || version > FLEXIBLE) {
            throw new MalformedRecord("group value of version " + version);
        }
        boolean compact = version >= FLEXIBLE;
        var protocolType = in.string(compact);
        int generation = in.int32();
        var protocol = in.nullableString(compact);
        var leader = in.nullableString(compact);
        long stateTimestamp = version >= WITH_STATE_TIMESTAMP ? in.int64() : UNKNOWN_TIME;
        var members = new ArrayList<MemberSnapshot>();
        for (int left = in.arrayLength(compact); left > 0; left--) {
            members.add(member(in, version));
        }
        return new GroupSnapshot(protocolType, generation, protocol, leader, stateTimestamp, members);
    }

    private static MemberSnapshot member(SchemaReader in, short version) {
        boolean compact = version >= FLEXIBLE;
        var memberId = in.string(compact);
        var instanceId = version >= WITH_INSTANCE_ID ? in.nullableString(compact) : null;
        var clientId = in.string(compact);
        var clientHost = in.string(compact);
        int first = in.int32();
        int sessionTimeout = version >= WITH_REBALANCE_TIMEOUT ? in.int32() : first;
        var subscription = in.byteArray(compact);
        var assignment = in.byteArray(compact);
        if (compact) {
            in.skipTags();
        }
        return new MemberSnapshot(memberId, instanceId, clientId, clientHost, first, sessionTimeout, subscription,
                assignment);
    }
}
