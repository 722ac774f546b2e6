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
import io.millrace.metadata.zookeeper.ZnodeWrite;
import io.millrace.metadata.zookeeper.Znodes;

/// The cluster's state in ZooKeeper.
public final class ZnodeStore implements ClusterStore {
    private static final List<String> WATCHED = List.of(Paths.BROKERS, Paths.SERVICES, Paths.TOPICS, Paths.CONFIG,
            Paths.DELETE_TOPICS);
    /// Half of what ZooKeeper takes in one request: what else belongs to it must fit besides.
    private static final int MAX_CHARACTERS = 512 * 1024;

    private final Znodes znodes;
    private final Loop loop;
    private final ClusterReader reader;
    private final ChangeNotifications notifications;
    private final List<Watch> watches = new ArrayList<>();

    /// @param loop the controller's
    /// @param ids of a cluster that has none yet
    public ZnodeStore(Znodes znodes, Loop loop, Ticker ticker, Supplier<UUID> ids) {
        this.znodes = znodes;
        this.loop = loop;
        reader = new ClusterReader(znodes, new Rubbish(), ids);
        notifications = new ChangeNotifications(znodes, loop, ticker);
    }

    @Override
    public CompletableFuture<Void> open(Consumer<Hint> hints) {
        loop.assertInLoop();
        close();
        var set = WATCHED.stream().map(path -> {
            var isSet = new CompletableFuture<Void>();
            watches.add(znodes.watch(path, loop, event -> happened(event, isSet, hints)));
            return isSet;
        }).toArray(CompletableFuture<?>[]::new);
        notifications.start();
        return CompletableFuture.allOf(set);
    }

    @Override
    public void close() {
        loop.assertInLoop();
        watches.forEach(Watch::close);
        watches.clear();
        notifications.stop();
    }

    /// The first reset says that the watch is set: nothing was missed before it, since nothing was read.
    private static void happened(ZnodeEvent event, CompletableFuture<Void> isSet, Consumer<Hint> hints) {
        switch (event) {
            case ZnodeEvent.Reset _ -> {
                if (!isSet.complete(null)) {
                    hints.accept(new Hint.Everything());
                }
            }
            case ZnodeEvent.Created(String path) -> hint(path, hints);
            case ZnodeEvent.Changed(String path) -> hint(path, hints);
            case ZnodeEvent.Deleted(String path) -> hint(path, hints);
        }
    }

    private static void hint(String path, Consumer<Hint> hints) {
        switch (Place.of(path)) {
            case Place.Node _ -> hints.accept(new Hint.Nodes());
            case Place.Topic(String name) -> hints.accept(new Hint.Topic(name));
            case Place.TopicToDelete _ -> hints.accept(new Hint.Deletions());
            case Place.Config(ConfigResource resource) -> hints.accept(new Hint.Config(resource));
            // States and shards are written by the controller alone; a change of configuration was seen at its node.
            case Place.PartitionState _,Place.ReassignPartitions _,Place.GroupShards _,Place.ConfigChanged _,Place.Controller _,Place.ControllerEpoch _,Place.Elsewhere _ ->
                {
                }
        }
    }

    @Override
    public CompletableFuture<Observation> observe(Set<Hint> hints) {
        return hints.contains(new Hint.Everything()) ? reader.everything() : reader.parts(hints);
    }

    @Override
    public CompletableFuture<WriteOutcome> write(List<StoreWrite> writes, Office office) {
        return WritePlan.of(writes, office, znodes)
                .thenCompose(planned -> writeAll(batches(planned), office))
                .handle((_, failure) -> outcome(failure))
                .thenCompose(outcome -> outcome);
    }

    private CompletableFuture<?> writeAll(List<List<ZnodeWrite>> batches, Office office) {
        CompletableFuture<?> written = CompletableFuture.completedFuture(null);
        for (var batch : batches) {
            written = written.thenCompose(_ -> znodes.guarded(office.epochVersion(), batch));
        }
        return written;
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

    static List<List<ZnodeWrite>> batches(List<ZnodeWrite> writes) {
        var batches = new ArrayList<List<ZnodeWrite>>();
        var batch = new ArrayList<ZnodeWrite>();
        int characters = 0;
        for (var write : writes) {
            if (!batch.isEmpty() && (batch.size() == Znodes.MAX_WRITES || characters + size(write) > MAX_CHARACTERS)) {
                batches.add(List.copyOf(batch));
                batch.clear();
                characters = 0;
            }
            batch.add(write);
            characters += size(write);
        }
        if (!batch.isEmpty()) {
            batches.add(List.copyOf(batch));
        }
        return batches;
    }

    private static int size(ZnodeWrite write) {
        int data = switch (write) {
            case ZnodeWrite.Create(_, String text) -> text.length();
            case ZnodeWrite.CreateEphemeral(_, String text) -> text.length();
            case ZnodeWrite.CreateSequential(_, String text) -> text.length();
            case ZnodeWrite.Set(_, String text, _) -> text.length();
            case ZnodeWrite.Delete _,ZnodeWrite.Check _ -> 0;
        };
        return data + write.path().length();
    }
}
