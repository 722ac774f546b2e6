package io.millrace.base.simulation;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

/// A network between hosts on virtual time. Calls get lost (on the way there or back), are slow, overtake one another and
/// are delivered twice; connections keep their order, and break. Hosts can be cut off from each other, one way or both.
public final class SimulatedNetwork {
    private final SimulatedLoop loop;
    private final RandomGenerator random;
    private final Map<String, SimulatedProcess> processes = new HashMap<>();
    private final Set<Link> cut = new HashSet<>();
    private final Map<Link, Integer> slow = new HashMap<>();
    private final Set<String> dark = new HashSet<>();
    private final Set<SimulatedConnection> connections = new LinkedHashSet<>();
    private final Set<Call<?>> calls = new LinkedHashSet<>();
    private Conditions conditions = Conditions.GOOD;

    private record Link(String from, String to) {}

    /// How the network is between hosts that reach each other.
    ///
    /// @param mostDelayMicros of one message; the least is a tenth
    /// @param loss how many of a thousand messages are lost
    /// @param repeats how many of a thousand calls arrive twice
    public record Conditions(int mostDelayMicros, int loss, int repeats) {
        public static final Conditions GOOD = new Conditions(500, 0, 0);
    }

    /// A machine is there and says that nobody listens.
    public static final class ConnectionRefused extends IOException {
        ConnectionRefused(String host) {
            super("connection refused by " + host);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    public SimulatedNetwork(SimulatedLoop loop, RandomGenerator random) {
        this.loop = loop;
        this.random = random;
    }

    /// From now on that is what listens at its host.
    public void listen(SimulatedProcess process) {
        processes.put(process.host(), process);
        dark.remove(process.host());
    }

    /// A process was killed: its machine ends its connections.
    public void died(SimulatedProcess process) {
        List.copyOf(connections).stream().filter(one -> one.isOf(process)).forEach(SimulatedConnection::broken);
        List.copyOf(calls).stream().filter(call -> process.equals(call.target)).forEach(call -> call.fail(
                new IOException("connection reset by " + process.host())));
    }

    /// A machine lost its power: until something listens there again it answers nothing, not even a refusal.
    public void dark(String host) {
        dark.add(host);
    }

    public void conditions(Conditions now) {
        conditions = now;
    }

    /// Nothing gets from one to the other any more.
    public void cut(String from, String to) {
        cut.add(new Link(from, to));
    }

    /// Messages from one to the other take that many times as long.
    public void slow(String from, String to, int times) {
        slow.put(new Link(from, to), times);
    }

    /// Every host reaches every other at full speed again.
    public void heal() {
        cut.clear();
        slow.clear();
    }

    /// Whether what is sent from one gets to the other.
    public boolean reaches(String from, String to) {
        return !cut.contains(new Link(from, to)) && !dark.contains(to) && !dark.contains(from);
    }

    /// Whether a connection to that host is refused: the machine is there and the process is not. False after `timeout`.
    public CompletableFuture<Boolean> refuses(SimulatedProcess from, String to, Duration timeout) {
        var answer = new CompletableFuture<Boolean>();
        var deadline = from.schedule(timeout, () -> answer.complete(false));
        answer.whenComplete((_, _) -> deadline.cancel());
        deliver(from.host(), to, () -> {
            boolean refused = listener(to) == null;
            deliver(to, from.host(), () -> from.execute(() -> answer.complete(refused)));
        });
        return answer;
    }

    /// One question and its answer.
    ///
    /// @param work at the other end, on its loop; perhaps twice
    /// @return completes on the loop of `from`; never, where a message was lost; fails with an [IOException] where the
    ///         process at the other end is not there or died meanwhile
    public <R> CompletableFuture<R> call(SimulatedProcess from, String to, Supplier<CompletableFuture<R>> work) {
        int times = random.nextInt(1000) < conditions.repeats ? 2 : 1;
        var call = new Call<>(from, to, work);
        for (int i = 0; i < times; i++) {
            if (!loses()) {
                deliver(from.host(), to, call::arrived);
            }
        }
        return call.answer;
    }

    private final class Call<R> {
        private final SimulatedProcess from;
        private final String to;
        private final Supplier<CompletableFuture<R>> work;
        private final CompletableFuture<R> answer = new CompletableFuture<>();
        private @Nullable SimulatedProcess target;

        Call(SimulatedProcess from, String to, Supplier<CompletableFuture<R>> work) {
            this.from = from;
            this.to = to;
            this.work = work;
        }

        void arrived() {
            var there = listener(to);
            target = there;
            if (there == null) {
                fail(new ConnectionRefused(to));
                return;
            }
            calls.add(this);
            answer.whenComplete((_, _) -> calls.remove(this));
            there.execute(() -> started().whenComplete((result, failure) -> {
                if (!loses()) {
                    deliver(to, from.host(), () -> from.execute(() -> finish(result, failure)));
                }
            }));
        }

        private CompletableFuture<R> started() {
            try {
                return work.get();
            } catch (RuntimeException refused) {
                return CompletableFuture.failedFuture(refused);
            }
        }

        private void finish(R result, @Nullable Throwable failure) {
            if (failure == null) {
                answer.complete(result);
            } else {
                answer.completeExceptionally(failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure);
            }
        }

        void fail(IOException failure) {
            deliver(to, from.host(), () -> from.execute(() -> answer.completeExceptionally(failure)));
        }
    }

    /// Opens a connection on which messages keep their order, until it breaks: by a loss, by the end of one of its
    /// processes, or because somebody closes it. Where nobody listens it breaks with the first message.
    ///
    /// @param onBroken told once on the loop of `from`, unless this end closes it
    public SimulatedConnection connect(SimulatedProcess from, String to, Runnable onBroken) {
        var connection = new SimulatedConnection(this, loop, from, to, onBroken);
        connections.add(connection);
        return connection;
    }

    void forget(SimulatedConnection connection) {
        connections.remove(connection);
    }

    /// What runs at that host; null where nothing does.
    @Nullable
    SimulatedProcess listener(String host) {
        var process = processes.get(host);
        return process != null && process.isAlive() ? process : null;
    }

    /// Runs `arrival` after the way from one host to the other; never where they are cut off then.
    private void deliver(String from, String to, Runnable arrival) {
        loop.schedule(delay(from, to), () -> {
            if (reaches(from, to)) {
                arrival.run();
            }
        });
    }

    boolean loses() {
        return random.nextInt(1000) < conditions.loss;
    }

    Duration delay(String from, String to) {
        int most = conditions.mostDelayMicros;
        long micros = most / 10L + random.nextInt(most);
        return Duration.ofNanos(1_000 * micros * slow.getOrDefault(new Link(from, to), 1));
    }

    /// Hosts at which a process is alive, in the order of their names.
    public List<String> hosts() {
        return processes.values().stream().filter(SimulatedProcess::isAlive).map(SimulatedProcess::host).sorted()
                .toList();
    }
}
