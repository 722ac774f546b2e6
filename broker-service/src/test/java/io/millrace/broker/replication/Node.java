package io.millrace.broker.replication;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.broker.fetch.ClosestReplica;
import io.millrace.broker.fetch.FetchHandler;
import io.millrace.broker.partition.BrokerTopicMetrics;
import io.millrace.broker.partition.LeaderHints;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.Registries;
import io.millrace.broker.partition.Replica;
import io.millrace.broker.partition.ReplicaRole.Leader;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.service.config.ServerSettings;
import io.millrace.wire.api.ClientSoftware;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/// One life of a broker that holds the only partition: its replica, what serves its followers, and what follows its leader.
final class Node implements Network.FetchServer {
    private final MortalLoop process;
    private final Replica replica;
    private final FetchHandler fetches;
    private final Replication replication;
    private final long epoch;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    /// @param epoch of its registration: higher in each life
    /// @param onProposal gets the partition whose leader here has an ISR to propose
    Node(int id, long epoch, Path directory, SimulatedLoop loop, Network network, Consumer<Partition> onProposal)
            throws IOException {
        this.process = new MortalLoop(loop);
        this.epoch = epoch;
        replica = new Replica(id, directory, loop);
        replica.onProposal(onProposal);
        var registry = Registries.of(() -> ClusterImage.EMPTY, replica.partition());
        var settings = ServerSettings.of(new HashMap<>(Map.of("zookeeper.connect", "nowhere:2181",
                "replica.fetch.backoff.ms", "100")));
        replication = new Replication(id, settings, new Replication.Means((leader, _) -> network.connect(id,
                process, leader), new NoController(), () -> epoch, process, process), meters, loop.ticker());
        fetches = new FetchHandler(registry, new BrokerTopicMetrics(meters), new FetchHandler.Cluster(new LeaderHints(
                () -> ClusterImage.EMPTY), _ -> -1, replication.leaderThrottle(), ClosestReplica.NONE),
                new FetchHandler.Limits(1 << 20, 10, 100), meters, loop.ticker(), new Random(id));
    }

    Replica replica() {
        return replica;
    }

    long epoch() {
        return epoch;
    }

    SimpleMeterRegistry meters() {
        return meters;
    }

    boolean leads() {
        return replica.partition().role() instanceof Leader;
    }

    /// The metadata say so.
    void told(int leader, int leaderEpoch, int partitionEpoch, List<Integer> isr, List<Integer> replicas) {
        var before = replica.partition().role();
        replica.told(leader, leaderEpoch, partitionEpoch, 1, isr, replicas);
        var now = replica.partition().role();
        if (!now.equals(before)) {
            replication.changed(replica.partition(), before, now);
            replication.applied();
        }
    }

    @Override
    public CompletableFuture<FetchResponseData> fetch(FetchRequestData request) {
        var connection = new RequestContext.Connection("c", "PLAINTEXT", new InetSocketAddress(0),
                KafkaPrincipal.ANONYMOUS, ClientSoftware.UNKNOWN, process);
        return fetches.handle(request, new RequestContext(ApiKeys.FETCH, Network.VERSION, 1, "follower", connection));
    }

    /// The values of the records from `offset` to before `end`.
    List<String> values(long offset, long end) throws IOException {
        var values = new ArrayList<String>();
        while (offset + values.size() < end) {
            var slice = replica.log().read(offset + values.size(), 1 << 20, true, end).slice();
            if (slice == null) {
                throw new IllegalStateException("nothing at " + (offset + values.size()));
            }
            try (slice) {
                var buffer = ByteBuffer.allocate(slice.size());
                slice.channel().read(buffer, slice.position());
                for (var record : MemoryRecords.readableRecords(buffer.flip()).records()) {
                    if (record.offset() >= offset && record.offset() < end) {
                        values.add(StandardCharsets.UTF_8.decode(record.value()).toString());
                    }
                }
            }
        }
        return values;
    }

    /// Its process is gone: it does nothing any more, and nothing is closed.
    void die() {
        process.die();
    }

    private static final class NoController implements ControllerClient {
        @Override
        public <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
            return new CompletableFuture<>();
        }

        @Override
        public void close() {
            // Nothing was opened.
        }
    }
}
