package io.millrace.controller.node;

import static io.millrace.controller.fixture.Cluster.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import org.junit.jupiter.api.Test;

class NodeLifeTest {
    private static final NodeImage SEEN = node(Role.BROKER, 1, 5, null, NodeState.FENCED);

    @Test
    void newRegistrationIsFencedUntilItsStreamIsUp() {
        assertThat(NodeLife.registered(Optional.empty(), SEEN, false, false).state()).isEqualTo(NodeState.FENCED);
        assertThat(NodeLife.registered(Optional.empty(), SEEN, true, false).state()).isEqualTo(NodeState.ACTIVE);
    }

    @Test
    void controllerThatJustTookOverPresumesNodesActive() {
        assertThat(NodeLife.registered(Optional.empty(), SEEN, false, true).state()).isEqualTo(NodeState.ACTIVE);
    }

    @Test
    void sameRegistrationSeenAgainKeepsItsState() {
        for (var state : NodeState.values()) {
            assertThat(NodeLife.registered(Optional.of(SEEN.in(state)), SEEN, false, false).state()).isEqualTo(state);
        }
    }

    @Test
    void anotherRegistrationOfTheSameIdIsAnotherLife() {
        var before = node(Role.BROKER, 1, 4, null, NodeState.ACTIVE);

        assertThat(NodeLife.registered(Optional.of(before), SEEN, false, false).state()).isEqualTo(NodeState.FENCED);
    }

    /// Whoever lost the session and not the life has lost no record, and goes on as it was if it is heard of.
    @Test
    void aBrokerThatLivedOnGoesOnUnderItsNewRegistration() {
        var failed = Map.of(UUID.randomUUID(), Set.of(3));
        for (var state : NodeState.values()) {
            var before = NodeLife.streamUp(node(Role.BROKER, 1, 4, null, state).ofLife("a"), "http://localhost:1",
                    "0.1")
                    .in(state).withFailed(failed);

            var after = NodeLife.registered(Optional.of(before), SEEN.ofLife("a"), false, false);

            assertThat(after.epoch()).isEqualTo(5);
            assertThat(after.state()).isEqualTo(state);
            assertThat(after.failedReplicas()).isEqualTo(failed);
            assertThat(after.http()).isEqualTo("http://localhost:1");
        }
    }

    @Test
    void aBrokerThatWasFencedAndLivedOnIsActiveWhereItsNewStreamIsUpAlready() {
        var before = node(Role.BROKER, 1, 4, null, NodeState.FENCED).ofLife("a");

        assertThat(NodeLife.registered(Optional.of(before), SEEN.ofLife("a"), true, false).state()).isEqualTo(
                NodeState.ACTIVE);
        assertThat(NodeLife.registered(Optional.of(before.in(NodeState.SHUTTING_DOWN)), SEEN.ofLife("a"), true, false)
                .state()).isEqualTo(NodeState.SHUTTING_DOWN);
    }

    @Test
    void nobodyElseGoesOn() {
        var before = node(Role.BROKER, 1, 4, null, NodeState.ACTIVE);
        var coordinator = node(Role.COORDINATOR, 1, 4, null, NodeState.ACTIVE).ofLife("a");

        assertThat(NodeLife.goesOn(before.ofLife("a"), SEEN.ofLife("b"))).isFalse();
        assertThat(NodeLife.goesOn(before, SEEN.ofLife("b"))).isFalse();
        assertThat(NodeLife.goesOn(before, SEEN)).as("neither says").isFalse();
        assertThat(NodeLife.goesOn(coordinator, node(Role.COORDINATOR, 1, 5, null, NodeState.FENCED).ofLife("a")))
                .isFalse();
    }

    @Test
    void whatTheStreamToldOfABrokerStaysWhenItsRegistrationIsSeenAgain() {
        var up = NodeLife.streamUp(SEEN, "http://localhost:1", "0.1");

        var again = NodeLife.registered(Optional.of(up), SEEN, false, false);

        assertThat(again).isEqualTo(up);
        assertThat(again.http()).isEqualTo("http://localhost:1");
    }

    @Test
    void nodeThatIsShuttingDownIsNotMadeActiveByItsStream() {
        var stopping = NodeLife.shutdownAsked(SEEN.in(NodeState.ACTIVE));

        assertThat(NodeLife.streamUp(stopping, null, "").state()).isEqualTo(NodeState.SHUTTING_DOWN);
    }

    @Test
    void graceOverFencesAllButControllersWhichHaveNoStream() {
        var controller = node(Role.CONTROLLER, 0, 5, null, NodeState.FENCED);

        assertThat(NodeLife.graceOver(SEEN.in(NodeState.ACTIVE)).state()).isEqualTo(NodeState.FENCED);
        assertThat(NodeLife.registered(Optional.empty(), controller, false, false).state()).isEqualTo(NodeState.ACTIVE);
        assertThat(NodeLife.graceOver(controller.in(NodeState.ACTIVE)).state()).isEqualTo(NodeState.ACTIVE);
    }
}
