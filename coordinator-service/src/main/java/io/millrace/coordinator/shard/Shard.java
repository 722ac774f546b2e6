package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.millrace.base.loop.Loop;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;

/// One shard in this process. Callable from any thread; all of it happens on the shard's loop.
@Slf4j
final class Shard {
    private final int number;
    private final Loop loop;
    private final ShardSettings settings;
    private final ShardRuntime runtime;
    private volatile ShardState state = new ShardState.Closed();

    Shard(int number, Loop loop, ShardSettings settings, ShardRuntime runtime) {
        this.number = number;
        this.loop = loop;
        this.settings = settings;
        this.runtime = runtime;
    }

    /// The state at this moment; it may change at the next.
    ShardState state() {
        return state;
    }

    /// This process owns the shard in that epoch. Nothing happens where it already knew.
    void own(int epoch) {
        loop.execute(() -> {
            if (epoch > epoch(state)) {
                load(epoch);
            }
        });
    }

    /// This process does not own the shard.
    CompletableFuture<Void> disown() {
        return CompletableFuture.runAsync(() -> {
            if (!(state instanceof ShardState.Closed)) {
                become(new ShardState.Closed(), epoch(state));
            }
        }, loop);
    }

    /// Runs `call` on the loaded shard. Fails with [Refused] where the shard is not ours or not loaded.
    <A> CompletableFuture<A> call(Function<ActiveShard, CompletableFuture<A>> call) {
        return CompletableFuture.supplyAsync(() -> onState(call), loop).thenCompose(Function.identity());
    }

    void topicsDeleted(Set<String> topics) {
        loop.execute(() -> {
            if (state instanceof ShardState.Active(_, var groups)) {
                groups.topicsDeleted(topics);
            }
        });
    }

    private <A> CompletableFuture<A> onState(Function<ActiveShard, CompletableFuture<A>> call) {
        return switch (state) {
            case ShardState.Active(_, var groups) -> call.apply(groups);
            case ShardState.Loading(var epoch, _, _) ->
                refused(Errors.COORDINATOR_LOAD_IN_PROGRESS, "shard " + number + " loads in epoch " + epoch);
            case ShardState.Closed(),ShardState.Fenced(_) -> refused(Errors.NOT_COORDINATOR, "shard " + number);
        };
    }

    private static <A> CompletableFuture<A> refused(Errors error, String message) {
        return CompletableFuture.failedFuture(new Refused(error, message));
    }

    private void load(int epoch) {
        long from = runtime.ticker().nanos();
        var table = new GroupTable(runtime.metrics());
        var load = new ShardLoad(number, epoch, loop, runtime, table, new ShardLoad.Listener() {
            @Override
            public void loaded(long records) {
                activate(epoch, table, records, runtime.ticker().since(from));
            }

            @Override
            public void fenced() {
                become(new ShardState.Fenced(epoch), epoch);
            }
        });
        become(new ShardState.Loading(epoch, load, table), epoch);
        load.start();
    }

    private void activate(int epoch, GroupTable table, long records, Duration time) {
        var appends = new AppendQueue(loop, settings, batch -> runtime.storage().append(number, epoch, batch),
                runtime.metrics(), () -> become(new ShardState.Fenced(epoch), epoch));
        var groups = new ActiveShard(loop, settings, runtime, table, appends);
        runtime.metrics().loaded(time);
        log.info("loaded shard={} epoch={} records={} millis={}", number, epoch, records, time.toMillis());
        become(new ShardState.Active(epoch, groups), epoch);
        groups.start();
    }

    private void become(ShardState next, int epoch) {
        loop.assertInLoop();
        var before = state;
        state = next;
        runtime.metrics().owned(count(isOurs(next)) - count(isOurs(before)));
        runtime.metrics().active(
                count(next instanceof ShardState.Active) - count(before instanceof ShardState.Active));
        if (!(next instanceof ShardState.Active)) { // of which its load told
            log.info("shard={} epoch={} from={} to={}", number, epoch, name(before), name(next));
        }
        switch (before) {
            case ShardState.Loading(_, var load, var table) -> {
                load.cancel();
                if (!(next instanceof ShardState.Active)) {
                    table.clear();
                }
            }
            case ShardState.Active(_, var groups) -> groups.close();
            case ShardState.Closed(),ShardState.Fenced(_) -> {
            }
        }
    }

    private static int count(boolean holds) {
        return holds ? 1 : 0;
    }

    private static boolean isOurs(ShardState state) {
        return state instanceof ShardState.Loading || state instanceof ShardState.Active;
    }

    private static String name(ShardState state) {
        return state.getClass().getSimpleName();
    }

    private static int epoch(ShardState state) {
        return switch (state) {
            case ShardState.Closed() -> -1;
            case ShardState.Loading(var epoch, _, _) -> epoch;
            case ShardState.Active(var epoch, _) -> epoch;
            case ShardState.Fenced(var epoch) -> epoch;
        };
    }
}
