package io.millrace.metadata.stream;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.millrace.base.check.Check;
import io.millrace.base.loop.Ticker;
import io.millrace.base.simulation.SimulatedConnection;
import io.millrace.base.simulation.SimulatedNetwork;
import io.millrace.base.simulation.SimulatedProcess;
import io.millrace.metadata.controller.ActiveController;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.record.Delta;
import io.millrace.metadata.record.Snapshot;
import org.jspecify.annotations.Nullable;

/// The controller's end of all metadata streams in one life of a controller, over the simulated network, and the way to
/// it. It promises what [MetadataPublisher] does: deltas in order, a snapshot in place of what a slow node missed, an end
/// to who is silent.
public final class SimulatedStreams implements ImagePublisher {
    private static final int MOST_IN_FLIGHT = 3;

    private final SimulatedProcess process;
    private final Ticker ticker;
    private final StreamConfig config;
    private final SubscriberListener listener;
    private final List<Stream> streams = new ArrayList<>();
    private final Deque<Delta> backlog = new ArrayDeque<>();
    private ClusterImage image = ClusterImage.EMPTY;
    private boolean active;
    private long lastStream;

    public SimulatedStreams(SimulatedProcess process, Ticker ticker, StreamConfig config,
            SubscriberListener listener) {
        this.process = process;
        this.ticker = ticker;
        this.config = config;
        this.listener = listener;
    }

    /// A node's end.
    ///
    /// @param controllers what runs as the controller of an id now; null where nothing does
    public static MetadataStream node(SimulatedNetwork network, SimulatedProcess process,
            IntFunction<@Nullable SimulatedStreams> controllers, Node node, StreamConfig config, Ticker ticker,
            RandomGenerator random) {
        StreamTransport transport = (address, hello, received, ended) -> new Incoming(network, process, controllers,
                address, hello, received, ended);
        return new MetadataStream(node.locator(), node.hello(), process, ticker, node.listener(), config, transport,
                random);
    }

    /// What a node's end needs of the node.
    public record Node(ActiveController locator, Supplier<Hello> hello, StreamListener listener) {}

    @Override
    public void activate(ClusterImage first) {
        backlog.clear();
        image = first;
        active = true;
    }

    @Override
    public void publish(Delta delta, ClusterImage after) {
        Check.argument(image.version().equals(delta.from()) && after.version().equals(delta.to()),
                "delta from %s to %s after %s", delta.from(), delta.to(), image.version());
        backlog.addLast(delta);
        if (backlog.size() > config.backlogVersions()) {
            backlog.removeFirst();
        }
        image = after;
        List.copyOf(streams).forEach(Stream::drain);
    }

    @Override
    public void standBy(@Nullable ControllerAddress holder) {
        active = false;
        List.copyOf(streams).forEach(Stream::end);
        backlog.clear();
        image = ClusterImage.EMPTY;
    }

    private final class Stream {
        private final SimulatedConnection connection;
        private final Incoming node;
        private final Subscriber subscriber;
        private MetadataVersion sent;
        private long heardNanos = ticker.nanos();
        private int inFlight;
        private boolean ended;

        Stream(SimulatedConnection connection, Incoming node, Hello hello) {
            this.connection = connection;
            this.node = node;
            subscriber = new Subscriber(++lastStream, hello, node.host());
            sent = hello.last();
            connection.onBroken(this::end);
        }

        void begin() {
            if (!active) {
                connection.closeThere();
                return;
            }
            streams.add(this);
            listener.connected(subscriber);
            drain();
            pulse();
        }

        void said(StreamMessage message) {
            heardNanos = ticker.nanos();
            if (!ended && message instanceof StreamMessage.Applied(var version)) {
                listener.applied(subscriber, version);
            }
        }

        void taken() {
            inFlight--;
            drain();
        }

        private void pulse() {
            process.schedule(config.heartbeat(), () -> {
                if (ended) {
                    return;
                }
                if (ticker.since(heardNanos).compareTo(config.silence()) > 0) {
                    end();
                    return;
                }
                if (inFlight == 0) {
                    send(new StreamMessage.Heartbeat(sent));
                }
                pulse();
            });
        }

        void drain() {
            while (!ended && inFlight < MOST_IN_FLIGHT && !sent.equals(image.version())) {
                var next = backlog.stream().filter(delta -> delta.from().equals(sent)).findFirst();
                sent = next.map(Delta::to).orElse(image.version());
                send(next.<StreamMessage>map(StreamMessage.Change::new)
                        .orElseGet(() -> new StreamMessage.Whole(Snapshot.of(image))));
            }
        }

        private void send(StreamMessage message) {
            inFlight++;
            connection.down(() -> node.arrived(this, message));
        }

        void end() {
            if (!ended) {
                ended = true;
                streams.remove(this);
                connection.closeThere();
                listener.disconnected(subscriber);
            }
        }
    }

    /// What a node has open: it reads one message at a time.
    private static final class Incoming implements StreamTransport.Exchange {
        private final SimulatedProcess process;
        private final SimulatedConnection connection;
        private final Function<StreamMessage, CompletableFuture<Void>> received;
        private final Deque<StreamMessage> unread = new ArrayDeque<>();
        private @Nullable Stream stream;
        private boolean reading;
        private boolean closed;

        Incoming(SimulatedNetwork network, SimulatedProcess process,
                IntFunction<@Nullable SimulatedStreams> controllers,
                ControllerAddress address, Hello hello, Function<StreamMessage, CompletableFuture<Void>> received,
                Consumer<Throwable> ended) {
            this.process = process;
            this.received = received;
            connection = network.connect(process, address.host(), () -> {
                if (!closed) {
                    closed = true;
                    ended.accept(new IOException("the stream broke"));
                }
            });
            connection.up(() -> {
                var controller = controllers.apply(address.id());
                if (controller != null) {
                    var opened = controller.new Stream(connection, this, hello);
                    stream = opened;
                    opened.begin();
                }
            });
        }

        String host() {
            return process.host();
        }

        void arrived(Stream from, StreamMessage message) {
            unread.addLast(message);
            read(from);
        }

        private void read(Stream from) {
            if (reading || closed || unread.isEmpty()) {
                return;
            }
            reading = true;
            received.apply(unread.removeFirst()).whenCompleteAsync((_, _) -> {
                reading = false;
                connection.up(from::taken);
                read(from);
            }, process);
        }

        @Override
        public void send(StreamMessage message) {
            connection.up(() -> {
                var at = stream;
                if (at != null) {
                    at.said(message);
                }
            });
        }

        @Override
        public void close() {
            closed = true;
            connection.close();
        }
    }
}
