package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.znode.ClusterIdNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.TopicIds;
import io.millrace.metadata.zookeeper.ZnodeWrite;

/// A whole cluster that lives through a [Scenario] as a seed says: things go wrong for a while, then everything heals, and
/// progress is demanded. Any [Violation] ends it.
final class SimulatedCluster {
    private static final Duration START = Duration.ofMinutes(1);
    private static final Duration SETTLE = Duration.ofMinutes(2);
    private static final Duration STEP = Duration.ofMillis(250);

    private final Scenario scenario;
    private final World world;
    private final SplittableRandom random;
    private final Committed committed = new Committed();
    private final ReplicaChecks replicas;
    private final StateChecks states;
    private final SimulatedControllers controllers;
    private final SimulatedNodes nodes = new SimulatedNodes();
    private final List<SimulatedBroker> brokers = nodes.brokers();
    private final Workload workload;
    private final Faults faults;

    /// @param bugs looked at after each task
    SimulatedCluster(long seed, Scenario scenario, Trace trace, LoggedBugs bugs) {
        this.scenario = scenario;
        world = World.of(seed, trace, scenario.flaw());
        world.loop().afterEach(bugs::check);
        random = world.random().split();
        replicas = new ReplicaChecks(committed, trace);
        states = new StateChecks(world, committed);
        controllers = new SimulatedControllers(world, scenario.controllers());
        var clusterId = world.newId();
        world.zookeeper().write(List.of(new ZnodeWrite.Create("/cluster", ""), new ZnodeWrite.Create(Paths.CLUSTER_ID,
                new ClusterIdNode(TopicIds.text(clusterId)).json())));
        for (int id = 0; id < scenario.brokers(); id++) {
            brokers.add(new SimulatedBroker(world, id, TopicIds.text(clusterId), controllers::get, nodes, replicas));
        }
        var client = new SimulatedClient(world, "clients", nodes);
        var requests = new AdminRequests(client, controllers);
        workload = new Workload(client, requests, new Operator(client, requests, scenario, committed), committed);
        faults = new Faults(world, controllers, nodes, states, scenario.faults(), this::everybodyKnows);
    }

    /// Lives through all of it.
    void run() {
        controllers.all().forEach(SimulatedController::start);
        brokers.forEach(SimulatedBroker::start);
        await("the cluster to start", START, this::everybodyKnows);
        workload.createTopic(1 + random.nextInt(3), scenario.replicas(), scenario.minInSync());
        await("the first topic", START, () -> !workload.partitions().isEmpty());
        faults.begin();
        changeNowAndThen();
        world.loop().advance(scenario.duration());
        faults.end();
        await("everything to settle", SETTLE, this::settled);
        long before = committed.records();
        long promised = workload.acknowledged();
        int partitions = workload.partitions().size();
        await("records to flow again", SETTLE, () -> committed.records() >= before + partitions && workload
                .acknowledged() > promised);
        var checks = new FinalChecks(brokers, committed, states.states());
        await("replicas to be where they belong", SETTLE, () -> checks.areInPlace(workload.partitions()));
        checks.check(workload.partitions());
    }

    private void changeNowAndThen() {
        world.loop().schedule(Duration.ofMillis(100 + random.nextInt(1_500)), () -> {
            switch (random.nextInt(10)) {
                case 0 -> workload.createTopic(1 + random.nextInt(2), scenario.replicas(), scenario.minInSync());
                case 1 -> workload.growTopic();
                case 2 -> workload.deleteTopic();
                default -> workload.operate();
            }
            changeNowAndThen();
        });
    }

    private void await(String what, Duration atMost, BooleanSupplier condition) {
        for (var passed = Duration.ZERO; !condition.getAsBoolean(); passed = passed.plus(STEP)) {
            if (passed.compareTo(atMost) >= 0) {
                throw new Violation("waited %s in vain for %s: %s", atMost, what, states.states());
            }
            world.loop().advance(STEP);
        }
    }

    private boolean everybodyKnows() {
        var active = controllers.active();
        return active.isPresent() && brokers.stream().allMatch(broker -> broker.image().version().equals(active.get()
                .image().version()) && broker.image().liveBrokers().size() == brokers.size());
    }

    private boolean settled() {
        var image = controllers.active().map(SimulatedController::image).orElse(ClusterImage.EMPTY);
        return everybodyKnows() && image.topics().all().stream().flatMap(topic -> topic.partitions().stream()).allMatch(
                partition -> partition.hasLeader() && partition.isr().size() == partition.replicas().size());
    }

    /// How much happened, for people.
    String summary() {
        return "tasks=%d records=%d promised=%d".formatted(world.loop().ran(), committed.records(), workload
                .acknowledged());
    }
}
