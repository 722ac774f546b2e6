package io.millrace.service.subscription;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.metadata.controller.ActiveController;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.stream.Hello;
import io.millrace.metadata.stream.MetadataStream;
import io.millrace.metadata.stream.StreamConfig;
import io.millrace.metadata.stream.StreamListener;
import org.jspecify.annotations.Nullable;

/// This node's image of the cluster. [#image] may be read on any thread: each is immutable. Everything else about it
/// happens on the loop.
public final class MetadataSubscription implements AutoCloseable {
    /// A listener that takes longer is left behind: the cluster waits for this node's word that it applied a version.
    private static final Duration LISTENER_DEADLINE = Duration.ofSeconds(60);

    private final Loop loop;
    private final Upstream stream;
    private final List<ImageListener> listeners = new CopyOnWriteArrayList<>();
    private final List<Waiter> waiters = new ArrayList<>();
    private volatile ClusterImage image = ClusterImage.EMPTY;
    private ClusterImage applied = ClusterImage.EMPTY;
    private volatile boolean connected;

    /// What brings the images: the metadata stream.
    public interface Upstream extends AutoCloseable {
        /// Opens it and keeps it open; called once.
        void start();

        /// Opens it anew, since this node is not what it said it was.
        void reconnect(String reason);

        /// Ends it for good.
        @Override
        void close();
    }

    private record Waiter(Predicate<ClusterImage> condition, CompletableFuture<Void> done) {}

    /// @param loop on which the stream tells its listener
    /// @param stream makes the stream that tells the given listener
    public MetadataSubscription(Loop loop, Function<StreamListener, Upstream> stream) {
        this.loop = loop;
        this.stream = stream.apply(new Incoming());
    }

    /// Over the metadata stream of whichever controller `locator` finds.
    ///
    /// @param hello what this node says of itself at each connection; may throw while the node is not registered
    /// @param ticker of `loop`
    public static MetadataSubscription over(ActiveController locator, Supplier<Hello> hello, Loop loop, Ticker ticker,
            StreamConfig config) {
        return new MetadataSubscription(loop, listener -> upstream(
                new MetadataStream(locator, hello, loop, ticker, listener, config)));
    }

    private static Upstream upstream(MetadataStream stream) {
        return new Upstream() {
            @Override
            public void start() {
                stream.start();
            }

            @Override
            public void reconnect(String reason) {
                stream.reconnect(reason);
            }

            @Override
            public void close() {
                stream.close();
            }
        };
    }

    /// The newest image; [ClusterImage#EMPTY] before the first. Listeners may not have taken it over yet.
    public ClusterImage image() {
        return image;
    }

    /// Adds a listener behind those that are there. It is told of what comes from then on, so it is added before
    /// [#start].
    public void onChange(ImageListener listener) {
        listeners.add(listener);
    }

    /// Opens the stream and keeps it open, to whichever controller is active.
    public void start() {
        stream.start();
    }

    /// Opens the stream anew, so that the controller hears of this node's new registration.
    public void reconnect(String reason) {
        stream.reconnect(reason);
    }

    /// Completes once an image that all listeners have taken over meets `condition`; fails with a [TimeoutException]
    /// after `atMost`. Completes on the loop.
    public CompletableFuture<Void> await(Predicate<ClusterImage> condition, Duration atMost) {
        var waiter = new Waiter(condition, new CompletableFuture<>());
        loop.execute(() -> {
            if (condition.test(applied)) {
                waiter.done().complete(null);
                return;
            }
            waiters.add(waiter);
            var timeout = loop.schedule(atMost, () -> {
                waiters.remove(waiter);
                waiter.done().completeExceptionally(
                        new TimeoutException("the image has version=" + applied.version() + " after " + atMost));
            });
            waiter.done().whenComplete((_, _) -> timeout.cancel());
        });
        return waiter.done();
    }

    /// Whether the stream is up and its first image applied.
    public boolean connected() {
        return connected;
    }

    /// Closes the stream; the image stays as it is.
    @Override
    public void close() {
        connected = false;
        stream.close();
    }

    /// What the stream tells.
    private final class Incoming implements StreamListener {
        @Override
        public CompletableFuture<Void> apply(ClusterImage before, ClusterImage after, Changes changes) {
            loop.assertInLoop();
            image = after;
            var done = new CompletableFuture<Void>();
            next(new Round(before, after, changes, List.copyOf(listeners), done), 0, null);
            return done;
        }

        @Override
        public void connected(boolean up) {
            connected = up;
        }
    }

    private record Round(ClusterImage before, ClusterImage after, Changes changes, List<ImageListener> listeners,
            CompletableFuture<Void> done) {}

    /// Tells one listener after the other; the first failure is what the stream is told (and logs) in the end.
    private void next(Round round, int listener, @Nullable Throwable failed) {
        if (listener == round.listeners().size()) {
            finish(round, failed);
            return;
        }
        var told = tell(round, round.listeners().get(listener));
        var timeout = loop.schedule(LISTENER_DEADLINE, () -> told.completeExceptionally(new TimeoutException(
                "a listener did not take over version=" + round.after().version() + " in " + LISTENER_DEADLINE)));
        told.whenComplete((_, failure) -> {
            timeout.cancel();
            onLoop(() -> next(round, listener + 1, failed == null ? failure : failed));
        });
    }

    private static CompletableFuture<Void> tell(Round round, ImageListener listener) {
        try {
            return listener.apply(round.before(), round.after(), round.changes()).copy();
        } catch (RuntimeException bug) {
            return CompletableFuture.failedFuture(bug);
        }
    }

    private void finish(Round round, @Nullable Throwable failed) {
        applied = round.after();
        var met = waiters.stream().filter(waiter -> waiter.condition().test(applied)).toList();
        waiters.removeAll(met);
        met.forEach(waiter -> waiter.done().complete(null));
        if (failed == null) {
            round.done().complete(null);
        } else {
            round.done().completeExceptionally(failed);
        }
    }

    private void onLoop(Runnable task) {
        if (loop.inLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }
}
