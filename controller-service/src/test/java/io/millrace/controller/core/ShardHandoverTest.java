package io.millrace.controller.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;

import io.millrace.controller.core.Observation.ShardsSeen;
import io.millrace.controller.fixture.Cluster;
import io.millrace.metadata.command.BalanceShards;
import io.millrace.metadata.command.BalanceShards.ShardMove;
import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.command.DrainCoordinator;
import io.millrace.metadata.command.ShardsPrepared;
import io.millrace.metadata.command.ShardsPrepared.Prepared;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.record.MetadataRecord.NodePut;
import org.junit.jupiter.api.Test;

/// Shards that are served go to others without a gap.
class ShardHandoverTest {
    private static final ControlledShutdown STOP = new ControlledShutdown(Role.COORDINATOR, 1000, 1);

    private final Term term = new Term(Cluster.ofBrokers(0));

    private void coordinator(int id) {
        term.put(new NodePut(Cluster.node(Role.COORDINATOR, id, 1, null, NodeState.ACTIVE)));
        var nodes = List.copyOf(term.image().nodes().all());
        term.observed(Observation.NOTHING.withNodes(nodes));
    }

    private List<ShardImage> shards() {
        return List.copyOf(term.image().groupShards().all());
    }

    private ShardsPrepared prepared(int id, long epoch) {
        return new ShardsPrepared(id, epoch, shards().stream().filter(shard -> shard.successor() == id).map(
                shard -> new Prepared(ShardKind.GROUP, shard.shard(), shard.epoch() + 1)).toList());
    }

    @Test
    void aCoordinatorThatStopsOwnsItsShardsUntilEachSuccessorIsReady() {
        coordinator(1000);
        coordinator(1001);

        var answer = term.asked(STOP);

        assertThat(answer.result().remaining()).isZero();
        assertThat(answer.decision().writes()).as("nothing was handed over yet").isEmpty();
        assertThat(shards()).hasSize(5).allMatch(shard -> shard.owner() == 1000 && shard.successor() == 1001);

        var some = new ShardsPrepared(1001, 1, List.of(new Prepared(ShardKind.GROUP, 3, 2)));
        var handed = term.asked(some);

        assertThat(handed.result().handedOver()).isEqualTo(1);
        assertThat(handed.decision().writes()).hasSize(1);
        assertThat(shards().get(3)).isEqualTo(new ShardImage(3, 1001, 2));
        assertThat(term.asked(some).decision().writes()).as("repeated").isEmpty();
        assertThat(term.asked(prepared(1001, 1)).result().handedOver()).isEqualTo(4);
        assertThat(term.asked(STOP).result().remaining()).isZero();
        assertThat(shards()).allMatch(shard -> shard.owner() == 1001 && shard.epoch() == 2);
    }

    @Test
    void theLastCoordinatorThatStopsKeepsWhatNobodyCanTake() {
        coordinator(1000);

        assertThat(term.asked(STOP).result().remaining()).isEqualTo(5);
        assertThat(shards()).allMatch(shard -> shard.owner() == 1000);
    }

    @Test
    void whoDiesWhileItStopsIsSucceededAtOnce() {
        coordinator(1000);
        coordinator(1001);
        term.asked(STOP);

        term.observed(Observation.NOTHING.withNodes(term.image().nodes().all().stream().filter(
                node -> node.id() != 1000).toList()));

        assertThat(shards()).allMatch(shard -> shard.owner() == 1001 && shard.epoch() == 2 && !shard.hasSuccessor());
    }

    @Test
    void aNewcomerIsGivenNothingBeforeItIsReady() {
        coordinator(1000);
        coordinator(1001);

        var decision = term.decider.evened(term.state(), 5);

        var shards = decision.next().image().groupShards().all();
        assertThat(shards).allMatch(shard -> shard.owner() == 1000);
        assertThat(shards.stream().filter(shard -> shard.successor() == 1001)).hasSize(2);
    }

    @Test
    void anotherLifeOrWhoIsNoSuccessorIsGivenNothing() {
        coordinator(1000);
        coordinator(1001);
        coordinator(1002);
        term.asked(STOP);
        var stale = prepared(1001, 2);
        var stolen = new ShardsPrepared(1002, 1, prepared(1001, 1).shards());

        assertThatExceptionOfType(CommandRefused.class).isThrownBy(() -> term.asked(stale));
        assertThat(term.asked(stolen).result().handedOver()).isZero();
        assertThat(shards()).allMatch(shard -> shard.owner() == 1000);
    }

    @Test
    void whatZooKeeperSaysOfTheSameOwnersKeepsThePreparations() {
        coordinator(1000);
        coordinator(1001);
        term.asked(STOP);
        var written = shards().stream().map(shard -> shard.preparedFor(ShardImage.NO_OWNER)).toList();

        term.observed(Observation.NOTHING.with(new ShardsSeen(ShardKind.GROUP, written, 3)));

        assertThat(shards()).allMatch(shard -> shard.successor() == 1001);
    }

    @Test
    void aDrainedCoordinatorGivesAwayItsShardsAndServesUntilTheyAreTaken() {
        coordinator(1000);
        coordinator(1001);

        assertThat(term.asked(new DrainCoordinator(1000, true)).result().remaining()).isEqualTo(5);
        assertThat(shards()).allMatch(shard -> shard.owner() == 1000 && shard.successor() == 1001);
        term.asked(prepared(1001, 1));
        assertThat(term.asked(new DrainCoordinator(1000, true)).decision().writes()).as("repeated").isEmpty();
        assertThat(term.decider.evened(term.state(), 5).records()).as("it gets nothing back").isEmpty();

        term.asked(new DrainCoordinator(1000, false));
        assertThat(term.decider.evened(term.state(), 5).records()).hasSize(2);
    }

    @Test
    void whereOnlyDrainedCoordinatorsAreLeftTheyServe() {
        coordinator(1000);
        coordinator(1001);
        term.asked(new DrainCoordinator(1001, true));
        var drained = new DrainCoordinator(1000, true);
        assertThatExceptionOfType(CommandRefused.class).isThrownBy(() -> term.asked(drained)).withMessageContaining(
                "No other coordinator");

        term.observed(Observation.NOTHING.withNodes(term.image().nodes().all().stream().filter(
                node -> node.id() != 1000).toList()));

        assertThat(shards()).hasSize(5).allMatch(shard -> shard.owner() == 1001);
    }

    @Test
    void anotherLifeOfACoordinatorIsNotDrained() {
        coordinator(1000);
        coordinator(1001);
        term.asked(new DrainCoordinator(1000, true));
        term.asked(prepared(1001, 1));
        term.put(new NodePut(Cluster.node(Role.COORDINATOR, 1000, 2, null, NodeState.ACTIVE)));

        assertThat(term.decider.evened(term.state(), 5).records()).hasSize(2);
    }

    @Test
    void balanceSaysWhatItWouldDoAndDoesItWhereItIsAskedTo() {
        coordinator(1000);
        coordinator(1001);

        var planned = term.asked(new BalanceShards(1, true));
        assertThat(planned.decision().records()).isEmpty();
        assertThat(planned.result().moves()).containsExactly(new ShardMove(ShardKind.GROUP, 4, 1000, 1001));
        assertThat(shards()).noneMatch(ShardImage::hasSuccessor);

        term.asked(new BalanceShards(5, false));
        assertThat(shards().stream().filter(shard -> shard.successor() == 1001)).hasSize(2);
    }
}
