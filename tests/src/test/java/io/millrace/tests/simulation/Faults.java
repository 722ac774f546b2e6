package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

import io.millrace.base.simulation.SimulatedNetwork.Conditions;
import io.millrace.base.simulation.SimulatedProcess;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.zookeeper.SimulatedZooKeeper;
import org.jspecify.annotations.Nullable;

/// Lets things go wrong, one after the other and several at once, and puts each of them right after a while. What loses
/// data, loses no more than the cluster promises to bear.
final class Faults {
    private final World world;
    private final SplittableRandom random;
    private final SimulatedControllers controllers;
    private final List<SimulatedBroker> brokers;
    private final List<SimulatedCoordinator> coordinators;
    private final StateChecks states;
    private final List<Fault> kinds;
    private final BooleanSupplier allIsWell;
    private boolean over;
    private int ongoing;
    private int failed;

    /// @param allIsWell whether every node is in service, and the controller knows it
    Faults(World world, SimulatedControllers controllers, SimulatedNodes nodes, StateChecks states,
            List<Fault> kinds, BooleanSupplier allIsWell) {
        this.world = world;
        this.controllers = controllers;
        brokers = nodes.brokers();
        coordinators = nodes.coordinators();
        this.states = states;
        this.kinds = kinds;
        this.allIsWell = allIsWell;
        random = world.random().split();
    }

    void begin() {
        if (!kinds.isEmpty()) {
            later(1_000, this::next);
        }
    }

    private void later(int mostMillis, Runnable task) {
        world.loop().schedule(Duration.ofMillis(1 + random.nextInt(mostMillis)), () -> {
            if (!over) {
                task.run();
            }
        });
    }

    /// Puts something right after at most so many milliseconds.
    private void ends(int mostMillis, Runnable repair) {
        ongoing++;
        later(mostMillis, () -> {
            ongoing--;
            repair.run();
        });
    }

    private void next() {
        // While a partition's data are on one machine less than it seems, nothing else may fail.
        if (states.damage().isOver()) {
            happen(kinds.get(random.nextInt(kinds.size())));
        }
        later(1_500, this::next);
    }

    private void happen(Fault fault) {
        switch (fault) {
            case KILL_BROKER -> killBroker();
            case TOPPLE_LEADERS -> toppleLeaders();
            case TERMINATE_BROKER -> terminate();
            case POWER_LOSS -> losePower();
            case STOP_BROKER -> stop(broker().process());
            case KILL_CONTROLLER -> killController();
            case STOP_CONTROLLER -> stop(controller().process());
            case KILL_COORDINATOR -> killCoordinator(coordinator());
            case STOP_COORDINATOR -> stop(coordinator().process());
            case CUT -> cut();
            case SLOW -> slow();
            case BAD_NETWORK -> badNetwork();
            case EXPIRE_SESSION -> expire();
            case EXPIRE_ALL -> {
                world.trace().say("all sessions expire");
                world.zookeeper().expireAll();
            }
            case STOP_ZOOKEEPER -> stopZooKeeper();
            case FAIL_DIRECTORY -> failDirectory();
        }
    }

    private SimulatedBroker broker() {
        return brokers.get(random.nextInt(brokers.size()));
    }

    private SimulatedController controller() {
        return controllers.all().get(random.nextInt(controllers.all().size()));
    }

    private void killBroker() {
        var broker = broker();
        if (broker.isAlive()) {
            broker.kill();
            ends(3_000, () -> start(broker));
        }
    }

    /// A leader whose followers hear late of what it has committed is killed, and soon the one that comes after it: where the
    /// last one leads, it must have what it was never told to be committed.
    private void toppleLeaders() {
        var partitions = List.copyOf(states.states().keySet());
        if (!partitions.isEmpty()) {
            topple(partitions.get(random.nextInt(partitions.size())), 2);
        }
    }

    private void topple(PartitionKey partition, int leaders) {
        var state = states.states().get(partition);
        if (leaders == 0 || state == null || state.leader() < 0 || !brokers.get(state.leader()).isAlive()) {
            return;
        }
        var leader = brokers.get(state.leader());
        int times = 100 + random.nextInt(1_000);
        world.trace().say("answers are late host=%s times=%d", leader.host(), times);
        brokers.forEach(other -> world.network().slow(leader.host(), other.host(), times));
        ends(600, () -> {
            heal();
            if (leader.isAlive()) {
                leader.kill();
                ends(3_000, () -> start(leader));
            }
            succeeded(partition, leader.id(), leaders - 1);
        });
    }

    /// Waits until another one leads, for as long as that may take.
    private void succeeded(PartitionKey partition, int former, int leaders) {
        later(20, () -> {
            var state = states.states().get(partition);
            if (state == null || state.leader() < 0) {
                return;
            }
            if (state.leader() == former) {
                succeeded(partition, former, leaders);
            } else {
                topple(partition, leaders);
            }
        });
    }

    private void terminate() {
        var broker = broker();
        if (broker.isAlive()) {
            broker.terminate();
            ends(6_000, () -> start(broker));
        }
    }

    private void start(SimulatedBroker broker) {
        if (broker.isEnding()) {
            broker.kill();
        }
        if (!broker.isAlive()) {
            broker.start();
        }
    }

    private void losePower() {
        var broker = broker();
        boolean partnersAreWell = ongoing == 0 && allIsWell.getAsBoolean();
        boolean partnersHaveItAll = states.states().values().stream().filter(state -> state.isr().contains(broker.id()))
                .noneMatch(state -> state.isr().size() < 2);
        if (partnersAreWell && partnersHaveItAll) {
            states.damage().begins(broker.id(), states.states());
            broker.losePower();
            ends(4_000, () -> start(broker));
        }
    }

    private void stop(@Nullable SimulatedProcess process) {
        if (process == null || process.isStopped()) {
            return;
        }
        world.trace().say("stop host=%s", process.host());
        process.stop();
        ends(5_000, () -> {
            world.trace().say("resume host=%s", process.host());
            process.resume();
        });
    }

    private void killController() {
        var controller = controller();
        if (!controller.isAlive()) {
            return;
        }
        world.trace().say("kill controller=%d", controller.id());
        controller.kill();
        ends(3_000, () -> {
            if (!controller.isAlive()) {
                controller.start();
            }
        });
    }

    private SimulatedCoordinator coordinator() {
        return coordinators.get(random.nextInt(coordinators.size()));
    }

    /// That one is killed now, and started again after a while.
    void killCoordinator(SimulatedCoordinator coordinator) {
        if (coordinator.isAlive()) {
            coordinator.kill();
            ends(3_000, () -> {
                if (!coordinator.isAlive()) {
                    coordinator.start();
                }
            });
        }
    }

    private List<String> hosts() {
        var hosts = new ArrayList<String>();
        brokers.forEach(broker -> hosts.add(broker.host()));
        controllers.all().forEach(controller -> hosts.add(controller.host()));
        coordinators.forEach(coordinator -> hosts.add(coordinator.host()));
        hosts.add(SimulatedZooKeeper.HOST);
        return hosts;
    }

    /// Cuts one host off from some others, one way or both.
    private void cut() {
        var hosts = hosts();
        var lonely = hosts.remove(random.nextInt(hosts.size() - 1));
        boolean all = random.nextBoolean();
        boolean oneWay = random.nextInt(4) == 0;
        for (var other : hosts) {
            if (all || random.nextInt(3) == 0) {
                world.trace().say("cut from=%s to=%s oneWay=%s", lonely, other, oneWay);
                world.network().cut(lonely, other);
                if (!oneWay) {
                    world.network().cut(other, lonely);
                }
            }
        }
        ends(5_000, this::heal);
    }

    private void slow() {
        var hosts = hosts();
        var slow = hosts.remove(random.nextInt(hosts.size()));
        int times = 10 + random.nextInt(1_000);
        world.trace().say("slow host=%s times=%d", slow, times);
        for (var other : hosts) {
            world.network().slow(slow, other, times);
            world.network().slow(other, slow, times);
        }
        ends(3_000, this::heal);
    }

    private void heal() {
        world.trace().say("network healed");
        world.network().heal();
    }

    private void badNetwork() {
        var conditions = new Conditions(200 + random.nextInt(50_000), random.nextInt(30), random.nextInt(50));
        world.trace().say("network %s", conditions);
        world.network().conditions(conditions);
        ends(4_000, () -> world.network().conditions(Conditions.GOOD));
    }

    private void expire() {
        var path = switch (random.nextInt(3)) {
            case 0 -> Paths.CONTROLLER;
            case 1 -> Paths.node(new NodeKey(Role.CONTROLLER, controller().id()));
            default -> Paths.broker(broker().id());
        };
        world.trace().say("session expires owner=%s", path);
        world.zookeeper().expireOwnerOf(path);
    }

    private void stopZooKeeper() {
        world.trace().say("zookeeper stops");
        world.zookeeper().stop();
        ends(6_000, () -> {
            world.trace().say("zookeeper resumes");
            world.zookeeper().resume();
        });
    }

    private void failDirectory() {
        var broker = broker();
        var directory = SimulatedBroker.DIRECTORIES.get(random.nextInt(SimulatedBroker.DIRECTORIES.size()));
        if (!broker.isAlive() || failed > 0) {
            return;
        }
        world.trace().say("directory fails broker=%d directory=%s", broker.id(), directory);
        broker.disk().fail(directory);
        failed++;
        // What failed once is not used again before the next start.
        ends(4_000, () -> {
            broker.disk().repair();
            failed--;
            if (broker.isAlive()) {
                broker.kill();
            }
            broker.start();
        });
    }

    /// Nothing goes wrong any more, and all that did is put right.
    void end() {
        over = true;
        world.trace().say("everything heals");
        world.network().heal();
        world.network().conditions(Conditions.GOOD);
        world.zookeeper().resume();
        controllers.all().forEach(controller -> {
            if (!controller.isAlive()) {
                controller.start();
            }
            resume(controller.process());
        });
        coordinators.forEach(coordinator -> {
            if (!coordinator.isAlive()) {
                coordinator.start();
            }
            resume(coordinator.process());
        });
        brokers.forEach(broker -> {
            broker.disk().repair();
            if (failed > 0 && broker.isAlive()) {
                broker.kill();
            }
            start(broker);
            resume(broker.process());
        });
    }

    private static void resume(@Nullable SimulatedProcess process) {
        if (process != null) {
            process.resume();
        }
    }
}
