package io.millrace.controller.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.controller.core.ClusterStore;
import io.millrace.controller.core.Hint;
import io.millrace.controller.core.Observation;
import io.millrace.controller.core.Office;
import io.millrace.controller.core.StoreWrite;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.Place;
import io.millrace.metadata.zookeeper.Deposed;
import io.millrace.metadata.zookeeper.Watch;
import io.millrace.metadata.zookeeper.ZnodeEvent;
import io.millrace.metadata.zookeeper.ZnodeRefused;
import io.millrace.metadata.zookeeper.Znodes;

/// The cluster's state in ZooKeeper. On standby it is mirrored, and the term that follows begins with what the mirror has.
///
///     closed ──stand by──► STANDBY ──open──► TAKING_OVER ──first look at everything──► ACTIVE      (any) ──close──► closed
public final class ZnodeStore implements ClusterStore {
    private static final List<String> WATCHED = List.of(Paths.BROKERS, Paths.SERVICES, Paths.TOPICS, Paths.CONFIG,
            Paths.DELETE_TOPICS, Paths.REASSIGN_PARTITIONS, Paths.PREFERRED_ELECTION);

    private final Znodes znodes;
    private final Loop loop;
    private final ClusterReader reader;
    private final ClusterMirror mirror;
    private final ChangeNotifications notifications;
    private final List<Watch> watches = new ArrayList<>();
    private CompletableFuture<Void> watching = new CompletableFuture<>();
    private Consumer<Hint> hints = _ -> {};
    private Phase phase = Phase.CLOSED;

    private enum Phase {
        CLOSED, STANDBY, TAKING_OVER, ACTIVE
    }

    /// @param loop the controller's
    /// @param ids of a cluster that has none yet
    public ZnodeStore(Znodes znodes, Loop loop, Ticker ticker, Supplier<UUID> ids) {
        this.znodes = znodes;
        this.loop = loop;
        var rubbish = new Rubbish();
        var topics = new TopicReader(znodes, rubbish);
        var configs = new ConfigReader(znodes, rubbish);
        reader = new ClusterReader(znodes, rubbish, topics, configs, ids);
        mirror = new ClusterMirror(loop, topics, configs);
        notifications = new ChangeNotifications(znodes, loop, ticker);
    }

    @Override
    public CompletableFuture<Observation> standBy() {
        loop.assertInLoop();
        if (phase == Phase.CLOSED) {
            phase = Phase.STANDBY;
            watching = watch();
            watching.thenRun(mirror::reset);
        }
        return mirror.settled();
    }

    @Override
    public CompletableFuture<Void> open(Consumer<Hint> told) {
        loop.assertInLoop();
        if (phase == Phase.ACTIVE || phase == Phase.TAKING_OVER) {
            close();
        }
        if (phase == Phase.CLOSED) {
            standBy();
        }
        phase = Phase.TAKING_OVER;
        hints = told;
        notifications.start();
        return watching;
    }

    @Override
    public void close() {
        loop.assertInLoop();
        phase = Phase.CLOSED;
        watches.forEach(Watch::close);
        watches.clear();
        mirror.clear();
        hints = _ -> {};
        notifications.stop();
    }

    private CompletableFuture<Void> watch() {
        return CompletableFuture.allOf(WATCHED.stream().map(path -> {
            var isSet = new CompletableFuture<Void>();
            watches.add(znodes.watch(path, loop, event -> happened(event, isSet)));
            return isSet;
        }).toArray(CompletableFuture<?>[]::new));
    }

    /// The first reset says that the watch is set: nothing was missed before it, since nothing was read.
    private void happened(ZnodeEvent event, CompletableFuture<Void> isSet) {
        switch (event) {
            case ZnodeEvent.Reset _ -> {
                if (!isSet.complete(null)) {
                    missed();
                }
            }
            case ZnodeEvent.Created(String path) -> changed(Place.of(path));
            case ZnodeEvent.Changed(String path) -> changed(Place.of(path));
            case ZnodeEvent.Deleted(String path) -> changed(Place.of(path));
        }
    }

    private void missed() {
        if (phase == Phase.STANDBY || phase == Phase.TAKING_OVER) {
            mirror.reset();
        }
        hints.accept(new Hint.Everything());
    }

    private void changed(Place place) {
        switch (phase) {
            case CLOSED -> {
                // An event that was on its way.
            }
            case STANDBY -> mirror.changed(place);
            // All that earlier terms wrote is known by now: see [ClusterMirror].
            case TAKING_OVER, ACTIVE -> hint(place, hints);
        }
    }

    private static void hint(Place place, Consumer<Hint> hints) {
        switch (place) {
            case Place.Node _ -> hints.accept(new Hint.Nodes());
            case Place.Topic(String name) -> hints.accept(new Hint.Topic(name));
            case Place.TopicToDelete _ -> hints.accept(new Hint.Deletions());
            case Place.ReassignPartitions _ -> hints.accept(new Hint.AskedMoves());
            case Place.PreferredElection _ -> hints.accept(new Hint.AskedElection());
            case Place.Config(ConfigResource resource) -> hints.accept(new Hint.Config(resource));
            // States and shards are written by the controller alone; a change of configuration was seen at its node.
            case Place.PartitionState _,Place.Shards _,Place.ConfigChanged _,Place.Controller _,Place.ControllerEpoch _,Place.Elsewhere _ ->
                {
                }
        }
    }

    @Override
    public CompletableFuture<Observation> observe(Set<Hint> at) {
        loop.assertInLoop();
        if (!at.contains(new Hint.Everything())) {
            return reader.parts(at);
        }
        return phase == Phase.TAKING_OVER ? takeOver() : reader.everything();
    }

    private CompletableFuture<Observation> takeOver() {
        return mirror.settled().thenCombine(reader.besidesTopics(), (seen, besides) -> besides.withTopics(seen
                .topics()).withConfigs(seen.configs())).thenApplyAsync(seen -> {
                    if (phase == Phase.TAKING_OVER) {
                        phase = Phase.ACTIVE;
                        mirror.clear();
                    }
                    return seen;
                }, loop);
    }

    @Override
    public CompletableFuture<WriteOutcome> write(List<StoreWrite> writes, Office office) {
        return WritePlan.of(writes, office, znodes)
                .thenCompose(planned -> WritePipeline.write(znodes, office.epochVersion(), planned))
                .handle((_, failure) -> outcome(failure))
                .thenCompose(outcome -> outcome);
    }

    private static CompletableFuture<WriteOutcome> outcome(Throwable failure) {
        var cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        return switch (cause) {
            case null -> CompletableFuture.completedFuture(WriteOutcome.WRITTEN);
            case Deposed _ -> CompletableFuture.completedFuture(WriteOutcome.DEPOSED);
            case ZnodeRefused refused when refused.reason() != ZnodeRefused.Reason.FORBIDDEN -> CompletableFuture
                    .completedFuture(WriteOutcome.CONFLICT);
            default -> CompletableFuture.failedFuture(cause);
        };
    }
}
