package io.millrace.metadata.stream;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.base.loop.Timeout;
import io.millrace.metadata.controller.ActiveController;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.stream.Follow.Apply;
import io.millrace.metadata.stream.Follow.Leave;
import io.millrace.metadata.stream.Follow.Stay;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// A node's end of the metadata stream: keeps the node's image in step with whichever controller is active.
///
///     Idle ──► Locating ──► Streaming ──► Waiting ──► Locating …      (any) ──► Closed
///
/// It lives on its loop, on which the listener is called too, one image at a time. What it has of the cluster stays through
/// all reconnections: it only ever goes forward.
@Slf4j
public final class MetadataStream implements AutoCloseable {
    private final ActiveController locator;
    private final Supplier<Hello> hello;
    private final Loop loop;
    private final Ticker ticker;
    private final StreamListener listener;
    private final StreamConfig config;
    private final StreamTransport transport;
    private final RandomGenerator random;
    private State state = new State.Idle();
    private volatile ClusterImage image = ClusterImage.EMPTY;
    private boolean snapshotWanted;
    private int failures;

    private sealed interface State {
        record Idle() implements State {}

        record Locating() implements State {}

        final class Streaming implements State {
            final ControllerAddress controller;
            private StreamTransport.@Nullable Exchange stream;
            private @Nullable Timeout pulse;
            private long heardNanos;
            private boolean applying;
            private boolean up;

            Streaming(ControllerAddress controller, long nowNanos) {
                this.controller = controller;
                heardNanos = nowNanos;
            }
        }

        record Waiting(Timeout until) implements State {}

        record Closed() implements State {}
    }

    /// @param hello what this node is at the time of each connection; its version is replaced. It may throw while the
    ///        node is not ready: then the stream tries again later
    /// @param loop on which this lives and the listener is called
    /// @param ticker of that loop
    public MetadataStream(ActiveController locator, Supplier<Hello> hello, Loop loop, Ticker ticker,
            StreamListener listener, StreamConfig config) {
        this(locator, hello, loop, ticker, listener, config, (address, said, received, ended) -> new ControllerStream(
                address, said, config.maxFrameBytes(), received, ended), RandomGenerator.getDefault());
    }

    /// @param random for the waits between attempts
    MetadataStream(ActiveController locator, Supplier<Hello> hello, Loop loop, Ticker ticker, StreamListener listener,
            StreamConfig config, StreamTransport transport, RandomGenerator random) {
        this.locator = locator;
        this.hello = hello;
        this.loop = loop;
        this.ticker = ticker;
        this.listener = listener;
        this.config = config;
        this.transport = transport;
        this.random = random;
    }

    /// Begins to look for the active controller. Callable from any thread; harmless when repeated.
    public void start() {
        loop.execute(() -> {
            if (state instanceof State.Idle) {
                locator.onChange(() -> onLoop(this::hurry));
                locate();
            }
        });
    }

    /// Another controller is active: what the one before did not answer says nothing about it.
    private void hurry() {
        failures = 0;
        switch (state) {
            case State.Waiting(var until) -> {
                until.cancel();
                locate();
            }
            case State.Streaming streaming -> locator.locate().thenAcceptAsync(active -> {
                if (!active.equals(streaming.controller)) {
                    leave(streaming, "another one is active");
                }
            }, loop);
            case State.Idle _,State.Locating _,State.Closed _ -> {
            }
        }
    }

    /// The newest image taken over, or being taken over now. Callable from any thread.
    public ClusterImage image() {
        return image;
    }

    /// Ends the stream and looks anew for the active controller: for one whose node registered again. Callable from any
    /// thread.
    public void reconnect(String reason) {
        loop.execute(() -> {
            if (state instanceof State.Streaming streaming) {
                // No failure of the controller's: until then this node counts for nothing.
                failures = 0;
                leave(streaming, reason);
            }
        });
    }

    /// Ends it for good. Callable from any thread.
    @Override
    public void close() {
        onLoop(this::end);
    }

    /// A loop that was closed has nobody left to tell.
    private void onLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException _) {
            log.debug("the loop of the stream is closed");
        }
    }

    private void end() {
        switch (state) {
            case State.Streaming streaming -> stop(streaming);
            case State.Waiting(var until) -> until.cancel();
            case State.Idle _,State.Locating _,State.Closed _ -> {
            }
        }
        state = new State.Closed();
    }

    private void locate() {
        state = new State.Locating();
        locator.locate().whenCompleteAsync((address, failure) -> {
            if (!(state instanceof State.Locating)) {
                return;
            }
            if (failure != null) {
                later("no active controller: " + failure.getMessage());
            } else {
                open(address);
            }
        }, loop);
    }

    private void open(ControllerAddress address) {
        var streaming = new State.Streaming(address, ticker.nanos());
        Hello said;
        try {
            said = hello.get().at(snapshotWanted ? MetadataVersion.NONE : image.version());
        } catch (RuntimeException notReady) {
            later("not ready: " + notReady.getMessage());
            return;
        }
        state = streaming;
        streaming.stream = transport.open(address, said, message -> received(streaming, message),
                failure -> onLoop(() -> {
                    locator.forget(address);
                    leave(streaming, failure.getMessage() == null ? failure.toString() : failure.getMessage());
                }));
        pulse(streaming);
    }

    /// Says each so often that this node is alive, and watches whether the controller is.
    private void pulse(State.Streaming streaming) {
        streaming.pulse = loop.schedule(config.heartbeat(), () -> {
            if (state != streaming) {
                return;
            }
            // While the listener works nothing is read, so that silence then says nothing.
            if (!streaming.applying && ticker.since(streaming.heardNanos).compareTo(patience(streaming)) > 0) {
                locator.forget(streaming.controller);
                leave(streaming, "controller silent for " + ticker.since(streaming.heardNanos).toMillis() + " ms");
                return;
            }
            say(streaming, new StreamMessage.Heartbeat(image.version()));
            pulse(streaming);
        });
    }

    /// A node is in less of a hurry than the controller: whoever takes over tells it. A first image may be large.
    private Duration patience(State.Streaming streaming) {
        return config.silence().multipliedBy(streaming.up ? 2 : 5);
    }

    /// On an event loop; the next message is read once what is returned completes.
    private CompletableFuture<Void> received(State.Streaming streaming, StreamMessage message) {
        return CompletableFuture.supplyAsync(() -> state == streaming
                ? taken(streaming, message)
                : CompletableFuture.<Void>completedFuture(null), loop).thenCompose(done -> done);
    }

    private CompletableFuture<Void> taken(State.Streaming streaming, StreamMessage message) {
        streaming.heardNanos = ticker.nanos();
        Follow follow;
        try {
            follow = Follow.next(image, message);
        } catch (RuntimeException failure) {
            log.error("image={} controller={} sent what does not fit; asking for a snapshot", image.version(),
                    streaming.controller, failure);
            snapshotWanted = true;
            follow = new Leave("what it sent does not fit");
        }
        return switch (follow) {
            case Stay _ -> {
                up(streaming);
                yield CompletableFuture.completedFuture(null);
            }
            case Leave(var reason) -> {
                locator.forget(streaming.controller);
                leave(streaming, reason);
                yield CompletableFuture.completedFuture(null);
            }
            case Apply apply -> applied(streaming, apply);
        };
    }

    private CompletableFuture<Void> applied(State.Streaming streaming, Apply apply) {
        var before = image;
        image = apply.after();
        snapshotWanted = false;
        streaming.applying = true;
        CompletableFuture<Void> done;
        try {
            done = listener.apply(before, apply.after(), apply.changes());
        } catch (RuntimeException failure) {
            done = CompletableFuture.failedFuture(failure);
        }
        return done.handleAsync((_, failure) -> {
            if (failure != null) {
                log.error("version={} could not be taken over in full", apply.after().version(), failure);
            }
            streaming.applying = false;
            streaming.heardNanos = ticker.nanos();
            if (state == streaming) {
                say(streaming, new StreamMessage.Applied(apply.after().version()));
                up(streaming);
            }
            return null;
        }, loop);
    }

    private void up(State.Streaming streaming) {
        failures = 0;
        if (!streaming.up && image.version().reaches(new MetadataVersion(1, 0))) {
            streaming.up = true;
            log.info("metadata stream up controller={} version={}", streaming.controller, image.version());
            listener.connected(true);
        }
    }

    private void say(State.Streaming streaming, StreamMessage message) {
        if (streaming.stream != null) {
            streaming.stream.send(message);
        }
    }

    private void leave(State.Streaming streaming, String reason) {
        if (state != streaming) {
            return;
        }
        stop(streaming);
        later("controller=" + streaming.controller + " " + reason);
    }

    private void stop(State.Streaming streaming) {
        if (streaming.pulse != null) {
            streaming.pulse.cancel();
        }
        if (streaming.stream != null) {
            streaming.stream.close();
        }
        if (streaming.up) {
            streaming.up = false;
            listener.connected(false);
        }
    }

    private void later(String reason) {
        var wait = config.reconnect().delay(failures++, random);
        log.info("metadata stream down version={} retryMs={} reason={}", image.version(), wait.toMillis(), reason);
        state = new State.Waiting(loop.schedule(wait, () -> {
            if (state instanceof State.Waiting) {
                locate();
            }
        }));
    }
}
