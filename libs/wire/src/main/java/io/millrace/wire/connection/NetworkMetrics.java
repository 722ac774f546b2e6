package io.millrace.wire.connection;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.wire.api.ClientSoftware;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/// Meters of listeners and requests, under Kafka's names. One a process or service; safe for all threads.
public final class NetworkMetrics {
    private static final String CONNECTIONS = "kafka.server.socket.server.metrics.";
    /// The client chooses name and version, so their number is bounded; the rest is counted together.
    private static final int MAX_SOFTWARE = 100;
    private static final ClientSoftware OTHER = new ClientSoftware("other", "other");

    private final MeterRegistry registry;
    private final Map<String, RequestMeters> requests = new ConcurrentHashMap<>();
    private final Map<String, Listener> listeners = new ConcurrentHashMap<>();

    public NetworkMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    RequestMeters of(ApiKeys api, ApiMessage request) {
        return requests.computeIfAbsent(RequestTimes.nameOf(api, request), name -> new RequestMeters(registry, name,
                api));
    }

    /// The meters of the listener `name`.
    public Listener listener(String name) {
        return listeners.computeIfAbsent(name, listener -> new Listener(registry, listener));
    }

    /// Clients that are connected now.
    ///
    /// @param software what they say they are, counted together beyond a hundred of them
    public record Clients(String listener, ClientSoftware software, int connections) {}

    /// Requests since the start.
    ///
    /// @param deprecated whether Kafka's own clients do not speak that version any more
    public record ApiUse(String api, short version, long requests, boolean deprecated) {}

    /// Who is connected, by listener and software; who has not said what it is is left out.
    public List<Clients> clients() {
        return listeners.values().stream().flatMap(listener -> listener.software.entrySet().stream().filter(
                entry -> entry.getValue().get() > 0).map(entry -> new Clients(listener.name, entry.getKey(), entry
                        .getValue().get()))).sorted(Comparator.comparing(Clients::listener).thenComparing(
                                clients -> clients.software().name()).thenComparing(clients -> clients.software()
                                        .version())).toList();
    }

    /// Which versions of which requests were asked for.
    public List<ApiUse> uses() {
        return requests.values().stream().flatMap(RequestMeters::uses).sorted(Comparator.comparing(ApiUse::api)
                .thenComparingInt(ApiUse::version)).toList();
    }

    /// One listener's connections. All event loops are told of as one network processor.
    public static final class Listener {
        private final MeterRegistry registry;
        private final String name;
        private final AtomicInteger open;
        private final Counter created;
        private final Counter closed;
        private final Counter refused;
        private final Counter invalid;
        private final Map<ClientSoftware, AtomicInteger> software = new ConcurrentHashMap<>();

        private Listener(MeterRegistry registry, String name) {
            this.registry = registry;
            this.name = name;
            open = gauge("connection.count", "open connections");
            created = counter(CONNECTIONS + "connection.creation", "connections accepted");
            closed = counter(CONNECTIONS + "connection.close", "connections closed");
            refused = counter("millrace.network.connections.refused", "closed at once: too many");
            invalid = counter("millrace.network.requests.invalid", "connections closed for what they sent");
        }

        /// A connection was accepted.
        void opened() {
            open.incrementAndGet();
            created.increment();
        }

        /// A connection that was counted by `opened` is gone.
        void closed(ClientSoftware told) {
            open.decrementAndGet();
            closed.increment();
            if (!told.equals(ClientSoftware.UNKNOWN)) {
                softwareCount(told).decrementAndGet();
            }
        }

        /// A connection was closed at once, since there were too many.
        public void refused() {
            refused.increment();
        }

        /// A connection sent what is no request, or none that is allowed.
        void invalid() {
            invalid.increment();
        }

        /// The client said what it is, once a connection.
        void software(ClientSoftware told) {
            softwareCount(told).incrementAndGet();
        }

        private AtomicInteger softwareCount(ClientSoftware told) {
            var known = software.get(told);
            if (known != null) {
                return known;
            }
            var counted = software.size() < MAX_SOFTWARE ? told : OTHER;
            return software.computeIfAbsent(counted, one -> gauge("connections.software", "open connections by client",
                    "clientSoftwareName", one.name(), "clientSoftwareVersion", one.version()));
        }

        private AtomicInteger gauge(String meter, String description, String... tags) {
            var value = new AtomicInteger();
            Gauge.builder(CONNECTIONS + meter, value, AtomicInteger::get)
                    .description(description)
                    .tag("listener", name)
                    .tag("networkProcessor", "0")
                    .tags(tags)
                    .register(registry);
            return value;
        }

        private Counter counter(String meter, String description) {
            return Counter.builder(meter).description(description).tag("listener", name).register(registry);
        }
    }
}
