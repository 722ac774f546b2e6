package io.millrace.coordinator.shard;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.millrace.base.loop.Loop;
import io.millrace.metadata.command.ShardsPrepared.Prepared;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardsImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// The shards of a kind that the image gives to this coordinator. Callable from any thread.
///
/// @param <S> what each of them holds
public final class OwnedShards<S extends ShardContents> {
    private final int nodeId;
    private final List<Loop> loops;
    private final ShardType<S> type;
    private final ShardRuntime runtime;
    private final Supplier<ClusterImage> image;
    private final Consumer<Prepared> prepared;
    private final Map<Integer, Shard<S>> shards = new ConcurrentHashMap<>();

    /// @param loops shared by the shards; closed by whoever made them
    /// @param image the newest one
    /// @param prepared told, on some loop, once a shard that is to be ours could be from one moment to the next
    public OwnedShards(int nodeId, List<Loop> loops, ShardType<S> type, ShardRuntime runtime,
            Supplier<ClusterImage> image, Consumer<Prepared> prepared) {
        this.prepared = prepared;
        this.nodeId = nodeId;
        this.loops = List.copyOf(loops);
        this.type = type;
        this.runtime = runtime;
        this.image = image;
    }

    /// Follows the image. What it leads to goes on after this returns: loading takes as long as it takes.
    public void apply(ClusterImage before, ClusterImage after, Changes changes) {
        for (var key : changes.shards()) {
            if (key.kind() != type.kind()) {
                continue;
            }
            int number = key.shard();
            var told = after.shards(type.kind()).shard(number).orElseGet(() -> new ShardImage(number,
                    ShardImage.NO_OWNER, 0));
            if (told.owner() == nodeId) {
                shard(number).own(told.epoch());
            } else if (told.successor() == nodeId) {
                shard(number).standBy(told.epoch() + 1);
            } else {
                var shard = shards.get(number);
                if (shard != null) {
                    shard.disown();
                }
            }
        }
        var deleted = changes.removedTopics().stream().flatMap(id -> before.topics().topic(id).stream())
                .map(TopicImage::name).collect(Collectors.toSet());
        if (!deleted.isEmpty()) {
            shards.values().forEach(shard -> shard.topicsDeleted(deleted));
        }
    }

    private Shard<S> shard(int number) {
        return shards.computeIfAbsent(number,
                _ -> new Shard<>(number, loops.get(number % loops.size()), type, runtime, prepared));
    }

    /// Runs `call` on the shard of that group or transactional id, on its loop. Fails with [Refused] where the shard is not ours
    /// (NOT_COORDINATOR) or not loaded yet (COORDINATOR_LOAD_IN_PROGRESS).
    public <A> CompletableFuture<A> onKey(String key, Function<S, CompletableFuture<A>> call) {
        int partitions = image.get().topics().topic(type.kind().topic()).map(topic -> topic.partitions().size())
                .orElse(0);
        return onShard(partitions == 0 ? -1 : ShardsImage.shardOf(key, partitions), call);
    }

    /// Runs `call` on the shard of that number, like [#onKey].
    public <A> CompletableFuture<A> onShard(int number, Function<S, CompletableFuture<A>> call) {
        var shard = shards.get(number);
        return shard == null
                ? CompletableFuture.failedFuture(new Refused(Errors.NOT_COORDINATOR,
                        type.kind().topic() + "-" + number))
                : shard.call(call);
    }

    /// Runs `call` on each shard that is ours, each on its loop; a future for each.
    public <A> List<CompletableFuture<A>> onEach(Function<S, CompletableFuture<A>> call) {
        return shards.values().stream().filter(shard -> switch (shard.state()) {
            case ShardState.Active<S>(_, _),ShardState.Loading<S>(_, _, _) -> true;
            case ShardState.Closed<S>(),ShardState.Standby<S>(_, _, _),ShardState.Fenced<S>(_) -> false;
        }).map(shard -> shard.call(call)).toList();
    }

    /// Whether none is loading.
    public boolean loaded() {
        return shards.values().stream().noneMatch(shard -> shard.state() instanceof ShardState.Loading);
    }

    /// Gives all shards up, as this process ends: whoever waits is told to look for another coordinator.
    public CompletableFuture<Void> release() {
        return CompletableFuture.allOf(shards.values().stream().map(Shard::disown).toArray(CompletableFuture[]::new));
    }
}
