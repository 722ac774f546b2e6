package io.millrace.broker.replication;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.broker.fetch.LeaderThrottle;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.ReplicaRole;
import io.millrace.broker.partition.RoleListener;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.service.config.ServerSettings;

/// What this broker does for the partitions that it does not lead: it follows their leaders, and says so where its own disks
/// keep it from that; and the rates that both ends of replication keep to.
public final class Replication implements RoleListener, AutoCloseable {
    private final ReplicationQuotas quotas;
    private final Followers followers;
    private final OfflineReplicas offline;
    private final List<RoleListener> listeners;

    /// What it works with.
    ///
    /// @param leaders the ways to leaders
    /// @param controller is told of replicas that cannot be used
    /// @param brokerEpoch of this broker's registration as it is now
    /// @param disks where logs are truncated
    /// @param loop for what is not a fetcher's
    public record Means(LeaderChannel.Opener leaders, ControllerClient controller, LongSupplier brokerEpoch,
            Executor disks, Loop loop) {}

    /// @param self this broker's id
    public Replication(int self, ServerSettings settings, Means means, MeterRegistry registry, Ticker ticker) {
        quotas = new ReplicationQuotas(self, settings, ticker);
        followers = new Followers(self, settings, means, quotas.follower(), registry, ticker);
        offline = new OfflineReplicas(self, means.brokerEpoch(), means.controller(), means.loop());
        listeners = List.of(followers, offline);
    }

    /// Takes over what is not about single partitions. To be called with each image, before its roles are told.
    public void imageComes(ClusterImage image, Changes changes) {
        quotas.apply(image, changes);
        followers.nodesChanged(changes);
        offline.imageComes(image);
    }

    @Override
    public void changed(Partition partition, ReplicaRole before, ReplicaRole now) {
        listeners.forEach(listener -> listener.changed(partition, before, now));
    }

    @Override
    public void applied() {
        listeners.forEach(RoleListener::applied);
    }

    /// The leaders' end of the quota.
    public LeaderThrottle leaderThrottle() {
        return new ThrottledLeader(quotas.leader());
    }

    /// Follows nobody any more. Any thread.
    ///
    /// @return completed once nothing is appended any more
    public CompletableFuture<Void> stop() {
        return followers.stop();
    }

    /// Follows nobody any more. Once it returns nothing is appended, unless a loop hangs longer than five seconds.
    @Override
    public void close() {
        followers.close();
    }
}
