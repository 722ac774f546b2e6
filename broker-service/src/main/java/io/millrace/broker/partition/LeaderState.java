package io.millrace.broker.partition;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import io.millrace.broker.partition.IsrDecision.Candidate;
import io.millrace.broker.partition.ReplicaFacts.FollowerFacts;
import io.millrace.broker.partition.ReplicaRole.Leader;
import io.millrace.log.PartitionLog;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// What the leader of a partition knows during one reign: how far its followers are ([KnownFollowers]), what may be the ISR
/// ([IsrClaim]), and from these how far the high watermark may go.
///
/// Any thread may call: each method holds the monitor, for no longer than a look at the few replicas, and takes no lock
/// but the log's.
@Slf4j
final class LeaderState {
    private final LeaderContext context;
    private final PartitionLog partitionLog;
    private final long reignStart;
    private final KnownFollowers followers;
    private final IsrClaim claim;
    private Durability durability;
    private long leaderEnd;
    /// Bytes between the high watermark and the log end, about.
    private long hiddenBytes;
    private final AckQueues acks;
    private boolean over;

    /// What a change led to.
    ///
    /// @param from high watermark before
    /// @param to high watermark after
    /// @param bytes that consumers may see now, about
    /// @param proposes whether there is something to ask the controller
    record Moved(long from, long to, long bytes, boolean proposes) {
        boolean raised() {
            return to > from;
        }
    }

    private LeaderState(LeaderContext context, PartitionLog partitionLog, Leader role, List<Integer> replicas,
            Durability durability, AckQueues acks) {
        this.context = context;
        this.partitionLog = partitionLog;
        this.followers = new KnownFollowers(context);
        this.claim = new IsrClaim(role);
        this.durability = durability;
        this.reignStart = partitionLog.logEndOffset();
        this.leaderEnd = reignStart;
        this.acks = acks;
        followers.assign(replicas, role.isr(), leaderEnd);
    }

    /// Begins a reign. Where the disk fails at that, whoever watches the directory hears of it from the log.
    ///
    /// @param acks batches that wait
    static LeaderState begin(LeaderContext context, PartitionLog partitionLog, Leader role, List<Integer> replicas,
            Durability durability, AckQueues acks) {
        try {
            partitionLog.beginEpoch(role.leaderEpoch());
        } catch (IOException failure) {
            log.error("a reign began on a failing disk leaderEpoch={}", role.leaderEpoch(), failure);
        }
        return new LeaderState(context, partitionLog, role, replicas, durability, acks);
    }

    /// The controller changed the ISR, or the replicas, within this reign. An older state changes nothing.
    synchronized Moved committed(Leader newer, List<Integer> replicas, Durability asked) {
        durability = asked;
        followers.assign(replicas, claim.isr(), leaderEnd);
        claim.told(newer);
        return moved(false);
    }

    /// The log ends at `end` now.
    synchronized Moved appended(long end, int bytes) {
        followers.leaderMoves(leaderEnd);
        leaderEnd = end;
        hiddenBytes += bytes;
        // The usual case, and then an append moves nothing: followers in sync have to fetch it first.
        return followers.anyOf(claim.maximal()) ? unmoved() : moved(false);
    }

    /// A follower of this reign fetched, from an offset of this log and this log's history.
    ///
    /// @throws io.millrace.wire.error.Refused where it is none of the replicas, or an older life of one
    synchronized Moved fetched(FollowerFetch fetch) {
        if (over) {
            throw new Refused(Errors.NOT_LEADER_OR_FOLLOWER, "the reign is over leaderEpoch=%d".formatted(claim.known()
                    .leaderEpoch()));
        }
        var follower = followers.of(fetch);
        // It may have been given what was appended before this reign's state was told.
        follower.fetched(fetch, Math.max(leaderEnd, fetch.offset()), context.ticker().nanos());
        return moved(false);
    }

    /// Looks whether followers may join by now, or need not be waited for any more.
    synchronized Moved reconsider() {
        return moved(false);
    }

    /// Looks for followers that fell behind, and for proposals to be repeated.
    synchronized Moved check() {
        return moved(true);
    }

    /// What to ask the controller; null where there is nothing (any more).
    ///
    /// @param selfEpoch of this broker's registration
    synchronized @Nullable IsrProposal proposal(Partition partition, long selfEpoch) {
        var asked = claim.asked();
        if (over || asked == null) {
            return null;
        }
        var members = asked.isr().stream().map(broker -> new InSync(broker, broker == context.self()
                ? selfEpoch
                : followers.brokerEpochOf(broker))).toList();
        return new IsrProposal(partition, new AlterPartition.Proposal(partition.topicId(), partition.id().partition(),
                claim.known().leaderEpoch(), claim.known().partitionEpoch(), members), asked);
    }

    /// The controller refused what was asked.
    ///
    /// @return after which time to call [#check]; null where the answer comes too late to matter
    synchronized @Nullable Duration refused(IsrProposal proposal, Errors error) {
        return over ? null : claim.refused(proposal, error, context.ticker().nanos());
    }

    /// Whether the controller has carried out what was asked is not known; it will be asked again.
    synchronized void unanswered(IsrProposal proposal) {
        if (!over) {
            claim.unanswered(proposal);
        }
    }

    /// The reign is over.
    synchronized void end() {
        over = true;
    }

    /// Batches that wait, of this reign or the same leader's reigns before.
    AckQueues acks() {
        return acks;
    }

    /// How many replicas may be in sync at most.
    synchronized int mostInSync() {
        return claim.maximal().size();
    }

    synchronized ReplicaFacts facts() {
        return new ReplicaFacts(claim.known().leaderEpoch(), partitionLog.highWatermark(), partitionLog
                .logStartOffset(), leaderEnd, followers.facts(claim.isr(), leaderEnd));
    }

    /// In-sync followers that have `offset`.
    synchronized List<FollowerFacts> followersWith(long offset) {
        return followers.with(offset, claim.isr(), leaderEnd);
    }

    /// -1 where it has not fetched in this reign.
    synchronized long logEndOffsetOf(int broker) {
        return followers.logEndOffsetOf(broker);
    }

    private Moved unmoved() {
        long mark = partitionLog.highWatermark();
        return new Moved(mark, mark, 0, false);
    }

    private Moved moved(boolean mayShrink) {
        if (over) {
            return unmoved();
        }
        long before = partitionLog.highWatermark();
        long now = context.ticker().nanos();
        var candidates = followers.candidates(claim.isr(), leaderEnd, now);
        long after = durability.enough(claim.isr().size()) ? raise(candidates) : before;
        long bytes = after > before ? shown(before, after) : 0;
        return new Moved(before, after, bytes, claim.mayPropose(now) && claim.propose(IsrDecision.next(claim.isr(),
                candidates, after, reignStart, mayShrink)));
    }

    private long raise(List<Candidate> candidates) {
        return partitionLog.updateHighWatermark(IsrDecision.replicatedUpTo(claim.maximal()::contains, candidates, Math
                .min(
                        leaderEnd, partitionLog.durableEnd())));
    }

    /// A share of the hidden bytes: which batches lie where is not kept. Over time the shares add up to all.
    private long shown(long before, long after) {
        long shown = after >= leaderEnd
                ? hiddenBytes
                : (long) (hiddenBytes * ((double) (after - before) / (leaderEnd - before)));
        hiddenBytes -= shown;
        return Math.max(1, shown);
    }
}
