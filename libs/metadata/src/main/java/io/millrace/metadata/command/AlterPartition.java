package io.millrace.metadata.command;

import java.util.List;
import java.util.UUID;

/// A broker proposes ISRs of partitions that it leads. Each proposal succeeds or fails for itself. Refused as a whole with
/// STALE_BROKER_EPOCH where another life of the broker is registered, with BROKER_ID_NOT_REGISTERED where none is.
///
/// @param brokerId the leader that proposes
/// @param brokerEpoch czxid of its registration
public record AlterPartition(int brokerId, long brokerEpoch, List<Proposal> proposals)
        implements
            Command<AlterPartition.Result> {
    /// In place of a broker's epoch that the leader does not know.
    public static final long ANY_EPOCH = -1;

    public AlterPartition {
        proposals = List.copyOf(proposals);
    }

    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// @param leaderEpoch in which the broker leads the partition
    /// @param partitionEpoch of the state that the leader knows, and that its proposal changes
    /// @param isr what it shall be
    public record Proposal(UUID topicId, int partition, int leaderEpoch, int partitionEpoch, List<InSync> isr) {
        public Proposal {
            isr = List.copyOf(isr);
        }
    }

    /// A replica that is to be in the ISR.
    ///
    /// @param brokerEpoch czxid of the registration under which it fetched; [#ANY_EPOCH] where the leader does not know
    public record InSync(int broker, long brokerEpoch) {}

    /// What became of a proposal. With success the rest is the state that is in ZooKeeper now; else it means nothing.
    ///
    /// @param errorCode Kafka's for AlterPartition: FENCED_LEADER_EPOCH, INVALID_UPDATE_VERSION where the partition epoch is
    ///        another one, INELIGIBLE_REPLICA, INVALID_REQUEST, UNKNOWN_TOPIC_ID, UNKNOWN_TOPIC_OR_PARTITION,
    ///        OPERATION_NOT_ATTEMPTED; 0 is success
    /// @param leader broker id
    /// @param isr in Kafka's order
    public record Outcome(UUID topicId, int partition, short errorCode, int leader, int leaderEpoch,
            int partitionEpoch, List<Integer> isr) {
        public Outcome {
            isr = List.copyOf(isr);
        }

        /// One of a proposal that changed nothing.
        public static Outcome refused(Proposal proposal, short errorCode) {
            return new Outcome(proposal.topicId(), proposal.partition(), errorCode, -1, -1, -1, List.of());
        }
    }

    /// @param outcomes one a proposal, in the order of the command
    public record Result(List<Outcome> outcomes) {
        public Result {
            outcomes = List.copyOf(outcomes);
        }
    }
}
