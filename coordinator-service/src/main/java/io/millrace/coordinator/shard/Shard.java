package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import io.millrace.base.loop.Loop;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;

/// One shard in this process. Callable from any thread; all of it happens on the shard's loop.
///
/// @param <S> what it holds
@Slf4j
final class Shard<S extends ShardContents> {
    private final int number;
    private final Loop loop;
    private final ShardType<S> type;
    private final ShardRuntime runtime;
    private volatile ShardState<S> state = new ShardState.Closed<>();

    Shard(int number, Loop loop, ShardType<S> type, ShardRuntime runtime) {
        this.number = number;
        this.loop = loop;
        this.type = type;
        this.runtime = runtime;
    }

    /// The state at this moment; it may change at the next.
    ShardState<S> state() {
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
                become(new ShardState.Closed<>(), epoch(state));
            }
        }, loop);
    }

    /// Runs `call` on the loaded shard. Fails with [Refused] where the shard is not ours or not loaded.
    <A> CompletableFuture<A> call(Function<S, CompletableFuture<A>> call) {
        return CompletableFuture.supplyAsync(() -> onState(call), loop).thenCompose(Function.identity());
    }

    void topicsDeleted(Set<String> topics) {
        loop.execute(() -> {
            if (state instanceof ShardState.Active<S>(_, var contents)) {
                contents.topicsDeleted(topics);
            }
        });
    }

    private <A> CompletableFuture<A> onState(Function<S, CompletableFuture<A>> call) {
        return switch (state) {
            case ShardState.Active<S>(_, var contents) -> call.apply(contents);
            case ShardState.Loading<S>(var epoch, _, _) ->
                refused(Errors.COORDINATOR_LOAD_IN_PROGRESS, "shard " + number + " loads in epoch " + epoch);
            case ShardState.Closed<S>(),ShardState.Fenced<S>(_) -> refused(Errors.NOT_COORDINATOR, "shard " + number);
        };
    }

    private static <A> CompletableFuture<A> refused(Errors error, String message) {
        return CompletableFuture.failedFuture(new Refused(error, message));
    }

    private void load(int epoch) {
        long from = runtime.ticker().nanos();
        Runnable fenced = () -> become(new ShardState.Fenced<>(epoch), epoch);
        Consumer<Errors> lost = error -> {
            if (error == Errors.FENCED_LEADER_EPOCH) {
                fenced.run();
            } else {
                log.warn("loading again topic={} shard={} epoch={} reason=\"an append ended in {}\"",
                        type.kind().topic(), number, epoch, error);
                load(epoch);
            }
        };
        var place = new ShardPlace(number, epoch, loop, runtime, lost);
        var contents = type.create(place);
        var load = new ShardLoad(place, type.mark(), contents::replay, new ShardLoad.Listener() {
            @Override
            public void loaded(long records) {
                activate(epoch, contents, records, runtime.ticker().since(from));
            }

            @Override
            public void fenced() {
                fenced.run();
            }
        });
        become(new ShardState.Loading<>(epoch, load, contents), epoch);
        load.start();
    }

    private void activate(int epoch, S contents, long records, Duration time) {
        runtime.metrics().loaded(time);
        log.info("loaded topic={} shard={} epoch={} records={} millis={}", type.kind().topic(), number, epoch, records,
                time.toMillis());
        become(new ShardState.Active<>(epoch, contents), epoch);
        contents.start();
    }

    private void become(ShardState<S> next, int epoch) {
        loop.assertInLoop();
        var before = state;
        state = next;
        runtime.metrics().owned(count(isOurs(next)) - count(isOurs(before)));
        runtime.metrics().active(
                count(next instanceof ShardState.Active) - count(before instanceof ShardState.Active));
        if (!(next instanceof ShardState.Active)) { // of which its load told
            log.info("topic={} shard={} epoch={} from={} to={}", type.kind().topic(), number, epoch, name(before), name(
                    next));
        }
        switch (before) {
            case ShardState.Loading<S>(_, var load, var contents) -> {
                load.cancel();
                if (!(next instanceof ShardState.Active)) {
                    contents.close();
                }
            }
            case ShardState.Active<S>(_, var contents) -> contents.close();
            case ShardState.Closed<S>(),ShardState.Fenced<S>(_) -> {
            }
        }
    }

    private static int count(boolean holds) {
        return holds ? 1 : 0;
    }

    private static boolean isOurs(ShardState<?> state) {
        return state instanceof ShardState.Loading || state instanceof ShardState.Active;
    }

    private static String name(ShardState<?> state) {
        return state.getClass().getSimpleName();
    }

    private int epoch(ShardState<S> of) {
        return switch (of) {
            case ShardState.Closed<S>() -> -1;
            case ShardState.Loading<S>(var epoch, _, _) -> epoch;
            case ShardState.Active<S>(var epoch, _) -> epoch;
            case ShardState.Fenced<S>(var epoch) -> epoch;
        };
    }
}
