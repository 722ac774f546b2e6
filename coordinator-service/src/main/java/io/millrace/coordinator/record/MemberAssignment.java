package io.millrace.coordinator.record;

import java.util.Arrays;

/// How far a member of a consumer group is on its way to its target.
///
/// @param epoch of the member: 0 before its first, [#LEFT] for a static member that is away
/// @param previousEpoch with which it may still come, where the answer with the new one was lost
/// @param assigned what it may have now
/// @param pendingRevocation what it is told to give up, and still counts as its own until it says that it did
public record MemberAssignment(int epoch, int previousEpoch, State state, Partitions assigned,
        Partitions pendingRevocation) {
    /// The epoch of a static member that left and may come back (KIP-848).
    public static final int LEFT = -2;

    /// A member that has nothing yet.
    public static final MemberAssignment NONE = new MemberAssignment(0, 0, State.STABLE, Partitions.NONE,
            Partitions.NONE);

    /// What a member has to do, or waits for.
    public enum State {
        /// It has all of its target.
        STABLE(0),
        /// It has to give up something first.
        UNREVOKED(1),
        /// It waits for something that another member still has.
        UNRELEASED(2);

        private final byte code;

        State(int code) {
            this.code = (byte) code;
        }

        /// Kafka's number for it.
        byte code() {
            return code;
        }

        static State of(byte code) {
            return Arrays.stream(values()).filter(state -> state.code == code).findFirst()
                    .orElseThrow(() -> new MalformedRecord("member state " + code));
        }
    }

    /// All that nobody else may have.
    public Partitions held() {
        return assigned.plus(pendingRevocation);
    }
}
