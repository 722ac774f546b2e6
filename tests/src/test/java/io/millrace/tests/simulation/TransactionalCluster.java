package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.millrace.broker.partition.Partition;
import io.millrace.log.PartitionLog;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.znode.ClusterIdNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.TopicIds;
import io.millrace.metadata.zookeeper.ZnodeWrite;
import io.millrace.tests.history.Stored;
import io.millrace.tests.history.Transaction;
import io.millrace.tests.history.TransactionChecker;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.RecordBatch;

/// A cluster whose clients write in transactions, and that lives through a [Scenario] as a seed says. While a transaction ends,
/// somebody who has a part in it is killed after a number of steps that is drawn. In the end all that was promised is compared
/// with what is there.
final class TransactionalCluster {
    private static final Duration START = Duration.ofMinutes(1);
    private static final Duration SETTLE = Duration.ofMinutes(2);
    private static final Duration STEP = Duration.ofMillis(250);
    private static final int COORDINATORS = 2;
    private static final int PARTITIONS = 3;
    private static final int PRODUCERS = 3;
    /// About as many as the end of a transaction takes, with what goes on beside it.
    static final int STEPS_OF_AN_END = 120;

    private final Scenario scenario;
    private final World world;
    private final SplittableRandom random;
    private final SimulatedControllers controllers;
    private final SimulatedNodes nodes = new SimulatedNodes();
    private final SimulatedClient client;
    private final AdminRequests requests;
    private final StateChecks states;
    private final Faults faults;
    private final List<PartitionKey> partitions = new ArrayList<>();
    private final List<TransactionalProducer> producers = new ArrayList<>();
    private final List<CommittedReader> readers = new ArrayList<>();
    private boolean healing;
    private long killAt = Long.MAX_VALUE;
    /// After so many of an end somebody is killed next. Each seed begins with another one and goes through some more.
    private int steps;

    TransactionalCluster(long seed, Scenario scenario, Trace trace, LoggedBugs bugs) {
        this.steps = Math.floorMod(seed, STEPS_OF_AN_END);
        this.scenario = scenario;
        world = World.of(seed, trace, scenario.flaw());
        world.loop().afterEach(() -> {
            bugs.check();
            killInTheMiddle();
        });
        random = world.random().split();
        var committed = new Committed();
        var replicas = new ReplicaChecks(committed, trace);
        states = new StateChecks(world, committed);
        controllers = new SimulatedControllers(world, scenario.controllers());
        var clusterId = TopicIds.text(world.newId());
        world.zookeeper().write(List.of(new ZnodeWrite.Create("/cluster", ""), new ZnodeWrite.Create(Paths.CLUSTER_ID,
                new ClusterIdNode(clusterId).json())));
        IntStream.range(0, scenario.brokers()).forEach(id -> nodes.brokers().add(new SimulatedBroker(world, id,
                clusterId, controllers::get, nodes, replicas)));
        IntStream.range(0, COORDINATORS).forEach(id -> nodes.coordinators().add(new SimulatedCoordinator(world,
                SimulatedCoordinator.FIRST_ID + id, controllers::get, nodes)));
        client = new SimulatedClient(world, "clients", nodes);
        requests = new AdminRequests(client, controllers);
        faults = new Faults(world, controllers, nodes, states, scenario.faults(), this::everybodyKnows);
    }

    /// Lives through all of it.
    void run() {
        controllers.all().forEach(SimulatedController::start);
        nodes.brokers().forEach(SimulatedBroker::start);
        nodes.coordinators().forEach(SimulatedCoordinator::start);
        await("the cluster to start", START, this::everybodyKnows);
        createTopics();
        await("the topics", START, () -> partitions.size() == PARTITIONS && everybodyKnows());
        client.refresh();
        await("owners of the shards", START, this::ownersKnown);
        IntStream.range(0, PRODUCERS).forEach(number -> producers.add(new TransactionalProducer(client, number,
                partitions, this::ends)));
        partitions.forEach(partition -> readers.add(new CommittedReader(client, partition, "reader-" + partition
                .partition())));
        producers.forEach(TransactionalProducer::start);
        readers.forEach(CommittedReader::start);
        faults.begin();
        world.loop().advance(scenario.duration());
        healing = true;
        faults.end();
        await("everything to settle", SETTLE, this::settled);
        long[] before = producers.stream().mapToLong(TransactionalProducer::committed).toArray();
        await("each producer to commit again", SETTLE, () -> IntStream.range(0, PRODUCERS).allMatch(
                i -> producers.get(i).committed() > before[i]));
        producers.forEach(TransactionalProducer::stop);
        // Longer than any transaction may stay open.
        world.loop().advance(Duration.ofSeconds(30));
        await("readers to see all", SETTLE, () -> readers.stream().allMatch(reader -> reader.offset() >= log(
                reader.reading().partition()).logEndOffset()));
        check();
    }

    private void createTopics() {
        create("txn", PARTITIONS);
        create(ShardKind.TRANSACTION.topic(), 2);
    }

    private void create(String name, int count) {
        var configs = new HashMap<>(Settings.SMALL_SEGMENTS);
        configs.put("min.insync.replicas", Integer.toString(scenario.minInSync()));
        requests.ask("create topic=" + name, new CreateTopics(List.of(new NewTopic(name, count, scenario.replicas(),
                Map.of(), configs)), false, 5_000), result -> {
                    var id = result.topics().getFirst().id();
                    if (id != null && name.equals("txn")) {
                        IntStream.range(0, count).forEach(it -> partitions.add(new PartitionKey(id, it)));
                    }
                });
    }

    private boolean ownersKnown() {
        client.refresh();
        return IntStream.range(0, PRODUCERS).allMatch(number -> client.image().shardOf(ShardKind.TRANSACTION,
                TransactionalProducer.name(number)).flatMap(shard -> client.image().coordinator(shard.owner()))
                .isPresent());
    }

    /// A transaction begins to end: every third time somebody is killed somewhere between two of its steps.
    private void ends() {
        if (!healing && !scenario.faults().isEmpty() && random.nextInt(3) == 0) {
            killAt = world.loop().ran() + steps;
        }
    }

    private void killInTheMiddle() {
        if (world.loop().ran() < killAt || healing) {
            return;
        }
        killAt = Long.MAX_VALUE;
        world.trace().happened(killedAfter(steps));
        steps = (steps + 1) % STEPS_OF_AN_END;
        faults.killCoordinator(nodes.coordinators().get(random.nextInt(COORDINATORS)));
    }

    /// A coordinator was killed so many steps after a transaction had begun to end.
    static String killedAfter(int steps) {
        return "killed after " + steps;
    }

    private boolean everybodyKnows() {
        var active = controllers.active();
        return active.isPresent() && nodes.brokers().stream().allMatch(broker -> knows(broker.image(), active.get()
                .image())) && nodes.coordinators().stream().allMatch(one -> knows(one.image(), active.get().image()));
    }

    private boolean knows(ClusterImage image, ClusterImage newest) {
        return image.version().equals(newest.version()) && image.liveBrokers().size() == scenario.brokers();
    }

    private boolean settled() {
        var image = controllers.active().map(SimulatedController::image).orElse(ClusterImage.EMPTY);
        return everybodyKnows() && image.topics().all().stream().flatMap(topic -> topic.partitions().stream()).allMatch(
                partition -> partition.hasLeader() && partition.isr().size() == partition.replicas().size());
    }

    private void await(String what, Duration atMost, BooleanSupplier condition) {
        for (var passed = Duration.ZERO; !condition.getAsBoolean(); passed = passed.plus(STEP)) {
            if (passed.compareTo(atMost) >= 0) {
                throw new Violation("waited %s in vain for %s: %s", atMost, what, states.states());
            }
            world.loop().advance(STEP);
        }
    }

    /// That of any replica: they are all the same by now.
    private PartitionLog log(int partition) {
        var key = partitions.get(partition);
        return nodes.brokers().stream().map(SimulatedBroker::engine).flatMap(Stream::ofNullable)
                .flatMap(engine -> engine.registry().all().stream())
                .filter(one -> one.topicId().equals(key.topicId()) && one.id().partition() == key.partition())
                .map(Partition::log).flatMap(Stream::ofNullable).findFirst().orElseThrow();
    }

    private void check() {
        var logs = new HashMap<Integer, List<Stored>>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            logs.put(partition, committed(partition));
        }
        List<Transaction> transactions = producers.stream().flatMap(it -> it.transactions().stream()).toList();
        var report = TransactionChecker.check(transactions, readers.stream().map(CommittedReader::reading).toList(),
                logs, List.of());
        if (!report.violations().isEmpty()) {
            throw new Violation("%s", report.text());
        }
    }

    /// What the markers of a partition's log make of it.
    private List<Stored> committed(int partition) {
        var log = log(partition);
        var open = new LinkedHashMap<Long, List<RecordBatch>>();
        var committed = new ArrayList<Stored>();
        Batches.eachBatch(log, 0, log.logEndOffset(), batch -> {
            if (!batch.isControlBatch()) {
                open.computeIfAbsent(batch.producerId(), _ -> new ArrayList<>()).add(batch);
            } else {
                var ended = open.remove(batch.producerId());
                if (ended != null && isCommit(batch)) {
                    ended.forEach(one -> one.forEach(record -> committed.add(new Stored(record.offset(),
                            CommittedReader.mark(record.value().getLong(record.value().position()))))));
                }
            }
        });
        if (!open.isEmpty()) {
            throw new Violation("partition=%d has transactions that nobody ended: %s", partition, open);
        }
        committed.sort(Comparator.comparingLong(Stored::offset));
        return committed;
    }

    private static boolean isCommit(RecordBatch marker) {
        return ControlRecordType.parse(marker.iterator().next().key()) == ControlRecordType.COMMIT;
    }

    /// How much happened, for people.
    String summary() {
        return "tasks=%d transactions=%d committed=%d".formatted(world.loop().ran(), producers.stream().mapToInt(
                it -> it.transactions().size()).sum(), producers.stream().mapToLong(TransactionalProducer::committed)
                        .sum());
    }
}
