package io.millrace.broker.partition;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.millrace.broker.partition.IsrDecision.Candidate;
import io.millrace.broker.partition.ReplicaFacts.FollowerFacts;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// How far the other replicas of a partition have come during one reign. Guarded by the leader's monitor.
final class KnownFollowers {
    private final LeaderContext context;
    private final Map<Integer, FollowerProgress> byBroker = new LinkedHashMap<>();

    KnownFollowers(LeaderContext context) {
        this.context = context;
    }

    /// From now on these are the replicas.
    ///
    /// @param isr those in sync have the time of a lag to show themselves
    void assign(List<Integer> replicas, List<Integer> isr, long leaderEnd) {
        byBroker.keySet().retainAll(replicas);
        long now = context.ticker().nanos();
        for (int replica : replicas) {
            if (replica != context.self()) {
                byBroker.computeIfAbsent(replica, _ -> new FollowerProgress(replica, leaderEnd, isr.contains(replica),
                        now));
            }
        }
    }

    /// The one that fetches.
    ///
    /// @throws Refused where it is none of the replicas, or an older life of one
    FollowerProgress of(FollowerFetch fetch) {
        var follower = byBroker.get(fetch.replica());
        if (follower == null) {
            // Whoever knows the leader epoch may know of an assignment that has not come here yet, and asks again.
            throw new Refused(fetch.leaderEpoch() == Partition.ANY_EPOCH
                    ? Errors.NOT_LEADER_OR_FOLLOWER
                    : Errors.UNKNOWN_LEADER_EPOCH, "replica=%d is none of %s".formatted(fetch.replica(), byBroker
                            .keySet()));
        }
        if (fetch.brokerEpoch() >= 0 && fetch.brokerEpoch() < follower.brokerEpoch()) {
            throw new Refused(Errors.NOT_LEADER_OR_FOLLOWER, "replica=%d brokerEpoch=%d is older than %d".formatted(
                    fetch.replica(), fetch.brokerEpoch(), follower.brokerEpoch()));
        }
        return follower;
    }

    /// The leader's log is about to end elsewhere than at `leaderEnd`.
    void leaderMoves(long leaderEnd) {
        for (var follower : byBroker.values()) {
            follower.leaderMoves(leaderEnd);
        }
    }

    boolean anyOf(Set<Integer> brokers) {
        for (var follower : byBroker.values()) {
            if (brokers.contains(follower.broker())) {
                return true;
            }
        }
        return false;
    }

    /// What there is to know of each for a decision about the ISR.
    List<Candidate> candidates(List<Integer> isr, long leaderEnd, long now) {
        var lag = context.lagTimeMax();
        var candidates = new ArrayList<Candidate>(byBroker.size());
        for (var follower : byBroker.values()) {
            // Members are in whatever the metadata say: whom the controller wants out it takes out.
            boolean eligible = isr.contains(follower.broker()) || mayJoin(follower, now);
            candidates.add(new Candidate(follower.broker(), follower.logEndOffset(), follower.isCaughtUp(leaderEnd, now,
                    lag), eligible));
        }
        return candidates;
    }

    private boolean mayJoin(FollowerProgress follower, long now) {
        return follower.fetches(now, context.lagTimeMax()) && context.eligibility().eligible(follower.broker(), follower
                .brokerEpoch());
    }

    /// Under which it fetched; -1 where it has not, or did not say.
    long brokerEpochOf(int broker) {
        var follower = byBroker.get(broker);
        return follower == null ? FollowerProgress.UNKNOWN : follower.brokerEpoch();
    }

    /// -1 where it has not fetched in this reign.
    long logEndOffsetOf(int broker) {
        var follower = byBroker.get(broker);
        return follower == null ? FollowerProgress.UNKNOWN : follower.logEndOffset();
    }

    List<FollowerFacts> facts(List<Integer> isr, long leaderEnd) {
        return byBroker.values().stream().map(follower -> facts(follower, isr, leaderEnd)).toList();
    }

    /// Those of `isr` that have `offset`.
    List<FollowerFacts> with(long offset, List<Integer> isr, long leaderEnd) {
        return byBroker.values().stream().filter(follower -> isr.contains(follower.broker()) && follower.has(offset))
                .map(follower -> facts(follower, isr, leaderEnd)).toList();
    }

    private FollowerFacts facts(FollowerProgress follower, List<Integer> isr, long leaderEnd) {
        return new FollowerFacts(follower.broker(), follower.logEndOffset(), follower.behind(leaderEnd, context.ticker()
                .nanos()), isr.contains(follower.broker()));
    }
}
