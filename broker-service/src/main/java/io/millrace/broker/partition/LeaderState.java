package io.millrace.broker.partition;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.millrace.broker.partition.IsrDecision.Candidate;
import io.millrace.broker.partition.IsrProposing.Asked;
import io.millrace.broker.partition.IsrProposing.Declined;
import io.millrace.broker.partition.IsrProposing.Idle;
import io.millrace.broker.partition.ReplicaFacts.FollowerFacts;
import io.millrace.broker.partition.ReplicaRole.Leader;
import io.millrace.log.PartitionLog;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// What the leader of a partition knows during one reign: how far its followers are, what it proposed to be the ISR, and
/// from these how far the high watermark may go.
///
/// Any thread may call: each method holds the monitor, for no longer than a look at the few replicas, and takes no lock
/// but the log's.
@Slf4j
final class LeaderState {
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 5;
    private static final Set<Errors> SURE = Set.of(Errors.INELIGIBLE_REPLICA, Errors.OPERATION_NOT_ATTEMPTED,
            Errors.INVALID_REQUEST);

    private final LeaderContext context;
    private final PartitionLog partitionLog;
    private final long reignStart;
    private final Map<Integer, FollowerProgress> followers = new LinkedHashMap<>();
    private Leader role;
    private Durability durability;
    private IsrProposing proposing = new Idle();
    /// All that may be in the ISR that is in force: the last one known, and what was proposed since without an answer that
    /// says no for sure.
    private final Set<Integer> maximal = new HashSet<>();
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
        this.role = role;
        this.durability = durability;
        this.reignStart = partitionLog.logEndOffset();
        this.leaderEnd = reignStart;
        this.acks = acks;
        maximal.addAll(role.isr());
        assign(replicas);
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
        assign(replicas);
        if (newer.partitionEpoch() > role.partitionEpoch()) {
            role = newer;
            proposing = new Idle();
            maximal.clear();
            maximal.addAll(newer.isr());
        }
        return moved(false);
    }

    /// The log ends at `end` now.
    synchronized Moved appended(long end, int bytes) {
        for (var follower : followers.values()) {
            follower.leaderMoves(leaderEnd);
        }
        leaderEnd = end;
        hiddenBytes += bytes;
        return waitsForOthers() ? unmoved() : moved(false);
    }

    /// A follower of this reign fetched, from an offset of this log and this log's history.
    ///
    /// @throws io.millrace.wire.error.Refused where it is none of the replicas, or an older life of one
    synchronized Moved fetched(FollowerFetch fetch) {
        var follower = followers.get(fetch.replica());
        if (over) {
            throw new Refused(Errors.NOT_LEADER_OR_FOLLOWER, "the reign is over leaderEpoch=%d".formatted(role
                    .leaderEpoch()));
        }
        if (follower == null) {
            // Whoever knows the leader epoch may know of an assignment that has not come here yet, and asks again.
            throw new Refused(fetch.leaderEpoch() == Partition.ANY_EPOCH
                    ? Errors.NOT_LEADER_OR_FOLLOWER
                    : Errors.UNKNOWN_LEADER_EPOCH, "replica=%d is none of %s".formatted(fetch.replica(), followers
                            .keySet()));
        }
        if (fetch.brokerEpoch() >= 0 && fetch.brokerEpoch() < follower.brokerEpoch()) {
            throw new Refused(Errors.NOT_LEADER_OR_FOLLOWER, "replica=%d brokerEpoch=%d is older than %d".formatted(
                    fetch.replica(), fetch.brokerEpoch(), follower.brokerEpoch()));
        }
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
        if (over || !(proposing instanceof Asked asked)) {
            return null;
        }
        var members = asked.isr().stream().map(broker -> new InSync(broker, broker == context.self()
                ? selfEpoch
                : brokerEpochOf(broker))).toList();
        return new IsrProposal(partition, new AlterPartition.Proposal(partition.topicId(), partition.id().partition(),
                role.leaderEpoch(), role.partitionEpoch(), members), asked);
    }

    /// The controller refused what was asked.
    ///
    /// @return after which time to call [#check]; null where the answer comes too late to matter
    synchronized @Nullable Duration refused(IsrProposal proposal, Errors error) {
        if (!stands(proposal)) {
            return null;
        }
        var asked = proposal.asked();
        // Refused for what it is, and not asked before: then it is not in force. All else may be the answer to a repeat.
        if (SURE.contains(error) && !asked.unanswered() && asked.tries() == 0) {
            maximal.clear();
            maximal.addAll(role.isr());
        }
        var wait = FIRST_RETRY.multipliedBy(1L << Math.min(asked.tries(), MOST_DOUBLINGS));
        proposing = new Declined(asked.tries() + 1, context.ticker().nanos() + wait.toNanos());
        return wait;
    }

    /// Whether the controller has carried out what was asked is not known; it will be asked again.
    synchronized void unanswered(IsrProposal proposal) {
        if (stands(proposal)) {
            var asked = proposal.asked();
            proposing = new Asked(asked.isr(), asked.tries(), true);
        }
    }

    private boolean stands(IsrProposal proposal) {
        return !over && proposal.asked().equals(proposing) && role.partitionEpoch() == proposal.proposal()
                .partitionEpoch();
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
        return maximal.size();
    }

    private long brokerEpochOf(int broker) {
        var follower = followers.get(broker);
        return follower == null ? FollowerProgress.UNKNOWN : follower.brokerEpoch();
    }

    synchronized ReplicaFacts facts() {
        return new ReplicaFacts(role.leaderEpoch(), partitionLog.highWatermark(), partitionLog.logStartOffset(),
                leaderEnd, followers.values().stream().map(this::facts).toList());
    }

    /// In-sync followers that have `offset`.
    synchronized List<FollowerFacts> followersWith(long offset) {
        return followers.values().stream().filter(follower -> role.isr().contains(follower.broker()) && follower.has(
                offset)).map(this::facts).toList();
    }

    /// -1 where it has not fetched in this reign.
    synchronized long logEndOffsetOf(int broker) {
        var follower = followers.get(broker);
        return follower == null ? FollowerProgress.UNKNOWN : follower.logEndOffset();
    }

    private FollowerFacts facts(FollowerProgress follower) {
        return new FollowerFacts(follower.broker(), follower.logEndOffset(), follower.behind(leaderEnd, context.ticker()
                .nanos()), role.isr().contains(follower.broker()));
    }

    private void assign(List<Integer> replicas) {
        followers.keySet().retainAll(replicas);
        long now = context.ticker().nanos();
        for (int replica : replicas) {
            if (replica != context.self()) {
                followers.computeIfAbsent(replica, _ -> new FollowerProgress(replica, leaderEnd, role.isr().contains(
                        replica), now));
            }
        }
    }

    /// The usual case, and then an append moves nothing: followers in sync have to fetch it first.
    private boolean waitsForOthers() {
        for (var follower : followers.values()) {
            if (maximal.contains(follower.broker())) {
                return true;
            }
        }
        return false;
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
        var candidates = candidates(now);
        long after = durability.enough(role.isr().size()) ? raise(candidates) : before;
        long bytes = after > before ? shown(before, after) : 0;
        return new Moved(before, after, bytes, propose(candidates, after, now, mayShrink));
    }

    private List<Candidate> candidates(long now) {
        var lag = context.lagTimeMax();
        var candidates = new ArrayList<Candidate>(followers.size());
        for (var follower : followers.values()) {
            // Members are in whatever the metadata say: whom the controller wants out it takes out.
            boolean eligible = role.isr().contains(follower.broker()) || mayJoin(follower, now);
            candidates.add(new Candidate(follower.broker(), follower.logEndOffset(), follower.isCaughtUp(leaderEnd, now,
                    lag), eligible));
        }
        return candidates;
    }

    private boolean mayJoin(FollowerProgress follower, long now) {
        return follower.fetches(now, context.lagTimeMax()) && context.eligibility().eligible(follower.broker(), follower
                .brokerEpoch());
    }

    private long raise(List<Candidate> candidates) {
        return partitionLog.updateHighWatermark(IsrDecision.replicatedUpTo(maximal::contains, candidates, Math.min(
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

    private boolean propose(List<Candidate> candidates, long highWatermark, long now, boolean mayShrink) {
        int tries = switch (proposing) {
            case Idle() -> 0;
            case Asked _ -> -1;
            case Declined(int refusals, long retryNanos) -> now - retryNanos >= 0 ? refusals : -1;
        };
        if (tries < 0) {
            return false;
        }
        var next = IsrDecision.next(role.isr(), candidates, highWatermark, reignStart, mayShrink);
        // Where something may be in force that nobody wants any more, what is wanted is asked for to find that out.
        boolean unclear = maximal.size() > role.isr().size();
        if (next.equals(role.isr()) && !unclear) {
            return false;
        }
        proposing = new Asked(next, tries, false);
        maximal.addAll(next);
        return true;
    }
}
