package io.millrace.controller.core;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.CommandHandler;
import io.millrace.metadata.command.NotActive;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.image.ClusterImage;
import org.jspecify.annotations.Nullable;

/// A controller, active or not. Takes commands on any thread; everything else happens on its loop.
public final class Controller implements CommandHandler {
    private final Realm realm;
    private final Loop loop;
    private final Ticker ticker;
    private final Supplier<@Nullable ControllerAddress> active;
    private volatile @Nullable Reign reign;

    /// @param active where the active controller is, as far as this one knows; null where it does not
    public Controller(Realm realm, Loop loop, Ticker ticker, Supplier<@Nullable ControllerAddress> active) {
        this.realm = realm;
        this.loop = loop;
        this.ticker = ticker;
        this.active = active;
    }

    /// Begins to keep at hand what a term begins with, and goes through the beginning once: a process that just started
    /// would be several times slower when it counts.
    public void standBy() {
        loop.assertInLoop();
        realm.store().standBy().thenAccept(realm.decider()::rehearse);
    }

    /// Begins a term.
    ///
    /// @param onDeposed called on the loop once a write showed that another controller took over
    public void elected(Office office, Runnable onDeposed) {
        loop.assertInLoop();
        resigned();
        var next = new Reign(office, realm, loop, ticker, onDeposed);
        reign = next;
        next.begin();
    }

    /// Ends the term, if there is one.
    public void resigned() {
        loop.assertInLoop();
        var ended = reign;
        reign = null;
        if (ended != null) {
            ended.end();
        }
    }

    /// Whether this controller is active and publishes. Callable from any thread.
    public boolean isActive() {
        var now = reign;
        return now != null && now.isRuling();
    }

    /// Whether a term of this controller goes on, be it that it still reads the cluster. Called on the loop.
    public boolean isElected() {
        loop.assertInLoop();
        return reign != null;
    }

    /// What this controller published last; empty while it does not rule. Called on the loop.
    public Optional<ClusterImage> published() {
        loop.assertInLoop();
        var now = reign;
        return now != null && now.isRuling() ? Optional.of(now.image()) : Optional.empty();
    }

    /// Something happened to a node; nothing comes of it while another controller is active.
    public void happened(ControllerEvent event) {
        loop.assertInLoop();
        var now = reign;
        if (now != null) {
            now.happened(event);
        }
    }

    @Override
    public <R> CompletableFuture<R> handle(Command<R> command) {
        var result = new CompletableFuture<R>();
        loop.execute(() -> {
            var now = reign;
            if (now == null) {
                result.completeExceptionally(new NotActive(active.get()));
                return;
            }
            now.asked(command).whenComplete((answer, failure) -> {
                if (failure == null) {
                    result.complete(answer);
                } else {
                    result.completeExceptionally(failure);
                }
            });
        });
        return result;
    }
}
