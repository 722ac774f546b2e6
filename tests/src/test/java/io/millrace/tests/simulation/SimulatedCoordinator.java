package io.millrace.tests.simulation;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Backoff;
import io.millrace.base.simulation.SimulatedProcess;
import io.millrace.coordinator.api.AddPartitionsToTxnHandler;
import io.millrace.coordinator.api.EndTxnHandler;
import io.millrace.coordinator.api.TransactionalInit;
import io.millrace.coordinator.handover.PreparedReports;
import io.millrace.coordinator.marker.MarkerCalls;
import io.millrace.coordinator.marker.MarkerMetrics;
import io.millrace.coordinator.marker.MarkerSender;
import io.millrace.coordinator.marker.Markers;
import io.millrace.coordinator.shard.AppendLimits;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.coordinator.shard.ShardMetrics;
import io.millrace.coordinator.shard.ShardRuntime;
import io.millrace.coordinator.shard.TransactionMetrics;
import io.millrace.coordinator.shard.TransactionSettings;
import io.millrace.coordinator.shard.TransactionShard;
import io.millrace.coordinator.storage.Batches;
import io.millrace.coordinator.storage.LeaderCalls;
import io.millrace.coordinator.storage.PartitionStorage;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardKind;
import io.millrace.service.protocol.ProducerIds;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.ApiRegistry;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.api.VersionTable;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/// A coordinator of transactions, through all its lives: its shards, their log at the brokers, its markers and its handlers
/// are the real ones.
final class SimulatedCoordinator {
    static final int FIRST_ID = 1000;
    private static final String LISTENER = "PLAINTEXT";
    private static final TransactionSettings SETTINGS = new TransactionSettings(60_000, Duration.ofDays(7),
            Duration.ofMillis(500), Duration.ofHours(1), Duration.ofMillis(500));

    private final World world;
    private final int id;
    private final IntFunction<SimulatedController> controllers;
    private final SimulatedNodes nodes;
    private @Nullable Life life;

    SimulatedCoordinator(World world, int id, IntFunction<SimulatedController> controllers, SimulatedNodes nodes) {
        this.world = world;
        this.id = id;
        this.controllers = controllers;
        this.nodes = nodes;
    }

    String host() {
        return "coordinator-" + id;
    }

    int id() {
        return id;
    }

    boolean isAlive() {
        return life != null;
    }

    /// The running process; null where there is none.
    @Nullable
    SimulatedProcess process() {
        return life == null ? null : life.process;
    }

    ClusterImage image() {
        return life == null ? ClusterImage.EMPTY : life.membership.image();
    }

    void start() {
        world.trace().say("start coordinator=%d", id);
        var next = new Life();
        life = next;
        next.membership.begin(() -> next.serving = true);
    }

    void kill() {
        var ended = life;
        life = null;
        if (ended != null) {
            world.trace().say("kill coordinator=%d", id);
            ended.process.kill();
            world.network().died(ended.process);
        }
    }

    CompletableFuture<ApiMessage> handle(ApiMessage request) {
        return life == null || !life.serving
                ? CompletableFuture.failedFuture(new IOException("not listening"))
                : life.door.handle(request);
    }

    private final class Life {
        private final SimulatedProcess process = new SimulatedProcess(host(), world.loop());
        private final SimulatedMembership membership;
        private final BrokerDoor door;
        private boolean serving;

        Life() {
            world.network().listen(process);
            membership = new SimulatedMembership(world, process, Role.COORDINATOR, id, controllers);
            var client = new SimulatedNodeClient(world.network(), process, nodes::at);
            var ids = new ProducerIds(membership.controller(), id, membership::epoch);
            var shards = shards(client, ids);
            membership.subscription().onChange((before, after, changes) -> {
                shards.apply(before, after, changes);
                return CompletableFuture.allOf();
            });
            var init = new TransactionalInit(shards);
            List<ApiHandler<?, ?>> handlers = List.of(new AddPartitionsToTxnHandler(shards, membership::image),
                    new Ends(new EndTxnHandler(shards)), new Inits(init));
            door = new BrokerDoor(ApiRegistry.of(VersionTable.MILLRACE, handlers), process, world.flaw());
        }

        private OwnedShards<TransactionShard> shards(SimulatedNodeClient client, ProducerIds ids) {
            var ticker = world.loop().ticker();
            var clock = world.loop().clock();
            var meters = new SimpleMeterRegistry();
            var leaders = new LeaderCalls(ShardKind.TRANSACTION.topic(), _ -> client, membership::image, LISTENER,
                    process,
                    ticker, world.random().split());
            var storage = new PartitionStorage(leaders, new PartitionStorage.Limits(Duration.ofSeconds(2), Duration
                    .ofSeconds(2), 1 << 20), new Batches(Compression.NONE, clock));
            var runtime = new ShardRuntime(storage, new ShardMetrics(meters, ticker), clock, ticker, world.random()
                    .split(), new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1)), new AppendLimits(1 << 20,
                            1 << 22));
            Markers markers = new MarkerSender(new MarkerCalls(client, id, membership::epoch), membership::image,
                    LISTENER,
                    process, ticker, world.random().split(), new MarkerMetrics(meters));
            var outside = new TransactionShard.Outside(world.flaw() == Flaw.MARKS_ONE_PARTITION
                    ? new ForgetfulMarkers(markers)
                    : markers, ids::next, new TransactionMetrics(meters, clock));
            return new OwnedShards<>(id, List.of(process), TransactionShard.type(SETTINGS, outside), runtime,
                    membership::image, new PreparedReports(membership.controller(), id, membership::epoch, process));
        }
    }

    /// InitProducerId alone of what any node answers.
    private record Inits(
            TransactionalInit init) implements ApiHandler<InitProducerIdRequestData, InitProducerIdResponseData> {
        @Override
        public ApiKeys api() {
            return ApiKeys.INIT_PRODUCER_ID;
        }

        @Override
        public CompletableFuture<InitProducerIdResponseData> handle(InitProducerIdRequestData request,
                RequestContext context) {
            return init.init(request, context);
        }
    }

    /// EndTxn, which a flaw may turn into its contrary.
    private final class Ends implements ApiHandler<EndTxnRequestData, EndTxnResponseData> {
        private final EndTxnHandler real;

        Ends(EndTxnHandler real) {
            this.real = real;
        }

        @Override
        public ApiKeys api() {
            return real.api();
        }

        @Override
        public CompletableFuture<EndTxnResponseData> handle(EndTxnRequestData request,
                RequestContext context) {
            return switch (world.flaw()) {
                case COMMITS_WHAT_IS_ABORTED -> real.handle(request.setCommitted(true), context);
                case ABORTS_WHAT_IS_COMMITTED -> real.handle(request.setCommitted(false), context);
                default -> real.handle(request, context);
            };
        }
    }
}
