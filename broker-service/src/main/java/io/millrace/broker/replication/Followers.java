package io.millrace.broker.replication;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Ticker;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.ReplicaRole;
import io.millrace.broker.partition.ReplicaRole.Follower;
import io.millrace.broker.partition.RoleListener;
import io.millrace.broker.replication.LeaderFetcher.Identity;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.Role;
import io.millrace.service.config.ServerSettings;
import lombok.extern.slf4j.Slf4j;

/// Lets every partition whose role is to follow be fetched from its leader, each by one of `num.replica.fetchers` fetchers
/// for that leader. A fetcher is made for its first partition and closed with its last.
///
/// Roles come on the thread that applies images; the monitor keeps [#close] from coming in between.
@Slf4j
final class Followers implements RoleListener, AutoCloseable {
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

    private final FetcherConfig config;
    private final LeaderChannel.Opener leaders;
    private final Surroundings surroundings;
    private final Map<Partition, Place> places = new HashMap<>();
    /// Read by gauges.
    private final Map<Identity, LeaderFetcher> fetchers = new ConcurrentHashMap<>();
    private final Map<Identity, Integer> sizes = new HashMap<>();
    private final Map<LeaderFetcher, Batch> pending = new LinkedHashMap<>();
    private final FollowerMetrics metrics;
    private boolean closed;

    /// Where a partition is fetched.
    private record Place(FollowedPartition followed, LeaderFetcher fetcher) {}

    /// What one image changes for one fetcher.
    private record Batch(List<FollowedPartition> added, List<FollowedPartition> removed) {
        Batch() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    /// @param self this broker's id
    /// @param quota of what this broker fetches
    Followers(int self, ServerSettings settings, Replication.Means means, ReplicationQuota quota,
            MeterRegistry registry,
            Ticker ticker) {
        this.config = FetcherConfig.of(self, settings);
        this.leaders = means.leaders();
        this.metrics = new FollowerMetrics(registry, ticker, fetchers.values());
        this.surroundings = new Surroundings(means.disks(), quota, metrics, means.brokerEpoch());
    }

    @Override
    public synchronized void changed(Partition partition, ReplicaRole before, ReplicaRole now) {
        if (closed) {
            return;
        }
        if (now instanceof Follower follower && follower.leader() >= 0 && follower.leader() != config.self()
                && partition.log() != null) {
            follow(partition, follower);
        } else {
            leave(partition);
        }
    }

    private void follow(Partition partition, Follower role) {
        var place = places.get(partition);
        // Within one leader epoch only the ISR changes, which is the leader's business.
        if (place != null && place.followed().leaderEpoch() == role.leaderEpoch()) {
            return;
        }
        leave(partition);
        var followed = new FollowedPartition(partition, role.leaderEpoch());
        var identity = new Identity(role.leader(), Math.floorMod(followed.key().hashCode(), config.fetchers()));
        var fetcher = fetchers.computeIfAbsent(identity, this::open);
        sizes.merge(identity, 1, Integer::sum);
        places.put(partition, new Place(followed, fetcher));
        pending.computeIfAbsent(fetcher, _ -> new Batch()).added().add(followed);
        metrics.added(followed, identity);
    }

    private void leave(Partition partition) {
        var place = places.remove(partition);
        if (place != null) {
            sizes.merge(place.fetcher().identity(), -1, Integer::sum);
            var batch = pending.computeIfAbsent(place.fetcher(), _ -> new Batch());
            batch.added().remove(place.followed());
            batch.removed().add(place.followed());
            metrics.removed(place.followed());
        }
    }

    private LeaderFetcher open(Identity identity) {
        log.debug("following leader={} fetcher={}", identity.leader(), identity.number());
        return new LeaderFetcher(identity, config, leaders.open(identity.leader(), identity.number()), surroundings);
    }

    @Override
    public synchronized void applied() {
        pending.forEach((fetcher, batch) -> fetcher.change(batch.added(), batch.removed()));
        pending.clear();
        for (var fetcher : List.copyOf(fetchers.values())) {
            if (sizes.getOrDefault(fetcher.identity(), 0) == 0) {
                fetchers.remove(fetcher.identity());
                sizes.remove(fetcher.identity());
                fetcher.close();
            }
        }
    }

    /// A leader that came back is asked at once.
    void nodesChanged(Changes changes) {
        for (var node : changes.nodes()) {
            if (node.role() == Role.BROKER) {
                fetchers.values().stream().filter(fetcher -> fetcher.identity().leader() == node.id()).forEach(
                        LeaderFetcher::wake);
            }
        }
    }

    /// Follows nobody any more.
    ///
    /// @return completed once nothing is appended any more
    synchronized CompletableFuture<Void> stop() {
        closed = true;
        var closing = fetchers.values().stream().map(LeaderFetcher::close).toArray(CompletableFuture[]::new);
        fetchers.clear();
        places.clear();
        return CompletableFuture.allOf(closing);
    }

    /// Follows nobody any more. Once it returns nothing is appended, unless a loop hangs longer than five seconds.
    @Override
    public void close() {
        try {
            stop().get(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            log.warn("fetchers did not stop in time reason={}", late.toString());
        }
    }
}
