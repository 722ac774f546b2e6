package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import io.millrace.base.loop.Loop;
import io.millrace.metadata.command.ShardsPrepared.Prepared;
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
    private final Consumer<Prepared> prepared;
    private volatile ShardState<S> state = new ShardState.Closed<>();
    /// When the step that is under way began: to read along, or to be the owner.
    private long begun;

    /// @param prepared told on the loop once the shard could be owned in that epoch from one moment to the next
    Shard(int number, Loop loop, ShardType<S> type, ShardRuntime runtime, Consumer<Prepared> prepared) {
        this.prepared = prepared;
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
            if (state instanceof ShardState.Standby<S>(var next, var load, var contents) && next == epoch) {
                become(new ShardState.Loading<>(epoch, load, contents), epoch);
                begun = runtime.ticker().nanos();
                load.take();
            } else if (epoch > epoch(state) || state instanceof ShardState.Standby) {
                load(epoch);
            }
        });
    }

    /// This process is to own the shard in that epoch once it has read along.
    void standBy(int epoch) {
        loop.execute(() -> {
            if (epoch > epoch(state)) {
                var contents = type.create(place(epoch));
                var load = reading(epoch, contents);
                become(new ShardState.Standby<>(epoch, load, contents), epoch);
                load.follow();
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
            case ShardState.Closed<S>(),ShardState.Standby<S>(_, _, _),ShardState.Fenced<S>(_) ->
                refused(Errors.NOT_COORDINATOR, "shard " + number);
        };
    }

    private static <A> CompletableFuture<A> refused(Errors error, String message) {
        return CompletableFuture.failedFuture(new Refused(error, message));
    }

    private void load(int epoch) {
        var contents = type.create(place(epoch));
        var load = reading(epoch, contents);
        become(new ShardState.Loading<>(epoch, load, contents), epoch);
        load.follow();
        load.take();
    }

    private ShardLoad reading(int epoch, S contents) {
        begun = runtime.ticker().nanos();
        return new ShardLoad(place(epoch), type.mark(), contents::replay, listener(epoch, contents));
    }

    private ShardPlace place(int epoch) {
        return new ShardPlace(number, epoch, loop, runtime, error -> {
            if (error == Errors.FENCED_LEADER_EPOCH) {
                become(new ShardState.Fenced<>(epoch), epoch);
            } else {
                log.warn("loading again topic={} shard={} epoch={} reason=\"an append ended in {}\"",
                        type.kind().topic(), number, epoch, error);
                load(epoch);
            }
        });
    }

    private ShardLoad.Listener listener(int epoch, S contents) {
        return new ShardLoad.Listener() {
            @Override
            public void caughtUp() {
                if (state instanceof ShardState.Standby) {
                    log.debug("reads along topic={} shard={} epoch={} millis={}", type.kind().topic(), number, epoch,
                            runtime.ticker().since(begun).toMillis());
                    prepared.accept(new Prepared(type.kind(), number, epoch));
                }
            }

            @Override
            public void loaded(long records) {
                activate(epoch, contents, records, runtime.ticker().since(begun));
            }

            @Override
            public void fenced() {
                become(new ShardState.Fenced<>(epoch), epoch);
            }

            @Override
            public void astray() {
                log.warn("loading again topic={} shard={} epoch={} reason=\"the log ends before what was read\"",
                        type.kind().topic(), number, epoch);
                load(epoch);
            }
        };
    }

    private void activate(int epoch, S contents, long records, Duration time) {
        runtime.metrics().loaded(type.kind(), time);
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
            case ShardState.Standby<S>(_, var load, var contents) -> {
                if (!(next instanceof ShardState.Loading<S>(_, var goesOn, _) && goesOn == load)) {
                    load.cancel();
                    contents.close();
                }
            }
            case ShardState.Loading<S>(_, var load, var contents) -> {
                if (!(next instanceof ShardState.Active)) {
                    load.cancel();
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
            case ShardState.Standby<S>(var epoch, _, _) -> epoch;
            case ShardState.Loading<S>(var epoch, _, _) -> epoch;
            case ShardState.Active<S>(var epoch, _) -> epoch;
            case ShardState.Fenced<S>(var epoch) -> epoch;
        };
    }
}
