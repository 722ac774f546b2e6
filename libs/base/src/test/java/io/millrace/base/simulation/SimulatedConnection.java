package io.millrace.base.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/// A connection of the [SimulatedNetwork]: what is sent arrives in order or not at all. Both ends use the same object.
/// While its hosts are cut off from each other, messages wait.
public final class SimulatedConnection {
    private static final Duration RETRANSMIT = Duration.ofMillis(200);

    private final SimulatedNetwork network;
    private final SimulatedLoop loop;
    private final SimulatedProcess from;
    private final String to;
    private final Runnable onBroken;
    private final Direction up;
    private final Direction down;
    private @Nullable SimulatedProcess target;
    private Runnable onBrokenThere = () -> {};
    private boolean open = true;

    SimulatedConnection(SimulatedNetwork network, SimulatedLoop loop, SimulatedProcess from, String to,
            Runnable onBroken) {
        this.network = network;
        this.loop = loop;
        this.from = from;
        this.to = to;
        this.onBroken = onBroken;
        up = new Direction(from.host(), to);
        down = new Direction(to, from.host());
    }

    /// Sends from the end that opened it; `arrival` runs on the other one's loop.
    public void up(Runnable arrival) {
        up.send(() -> {
            var there = target == null ? network.listener(to) : target;
            target = there;
            if (there == null || !there.isAlive()) {
                broken();
            } else {
                onLoop(there, arrival);
            }
        });
    }

    /// Sends to the end that opened it; `arrival` runs on its loop.
    public void down(Runnable arrival) {
        down.send(() -> {
            if (from.isAlive()) {
                onLoop(from, arrival);
            } else {
                broken();
            }
        });
    }

    private void onLoop(SimulatedProcess process, Runnable arrival) {
        process.execute(() -> {
            if (open) {
                arrival.run();
            }
        });
    }

    /// What the end that was called does when it breaks, unless that end closes it.
    public void onBroken(Runnable there) {
        onBrokenThere = there;
    }

    public boolean isOpen() {
        return open;
    }

    /// Ends it from the end that opened it: the other one is told as soon as the network lets it.
    public void close() {
        if (end()) {
            tellThere();
        }
    }

    /// Ends it from the end that was called.
    public void closeThere() {
        if (end()) {
            tellHere();
        }
    }

    void broken() {
        if (end()) {
            tellHere();
            tellThere();
        }
    }

    boolean isOf(SimulatedProcess process) {
        return from.equals(process) || process.equals(target);
    }

    private boolean end() {
        boolean was = open;
        open = false;
        network.forget(this);
        return was;
    }

    private void tellHere() {
        tell(to, from.host(), from, onBroken);
    }

    private void tellThere() {
        var there = target;
        if (there != null) {
            tell(from.host(), to, there, onBrokenThere);
        }
    }

    private void tell(String sender, String receiver, SimulatedProcess process, Runnable news) {
        if (!process.isAlive()) {
            return;
        }
        loop.schedule(network.delay(sender, receiver), () -> {
            if (network.reaches(sender, receiver)) {
                process.execute(news);
            } else {
                loop.schedule(RETRANSMIT, () -> tell(sender, receiver, process, news));
            }
        });
    }

    private final class Direction {
        private final String sender;
        private final String receiver;
        private final Deque<Runnable> onTheWay = new ArrayDeque<>();
        private long lastNanos;

        Direction(String sender, String receiver) {
            this.sender = sender;
            this.receiver = receiver;
        }

        void send(Runnable arrival) {
            if (!open) {
                return;
            }
            if (network.loses()) {
                loop.schedule(RETRANSMIT, SimulatedConnection.this::broken);
                return;
            }
            onTheWay.addLast(arrival);
            long now = loop.ticker().nanos();
            lastNanos = Math.max(lastNanos, now + network.delay(sender, receiver).toNanos());
            loop.schedule(Duration.ofNanos(lastNanos - now), this::arrive);
        }

        /// There is one call for each message, so what comes first is the first one that has not arrived.
        private void arrive() {
            if (!open) {
                return;
            }
            if (network.reaches(sender, receiver)) {
                onTheWay.removeFirst().run();
            } else {
                loop.schedule(RETRANSMIT, this::arrive);
            }
        }
    }
}
