package io.millrace.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;

import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.DescribeSubscribers;
import io.millrace.metadata.command.DrainCoordinator;
import io.millrace.metadata.command.ResignController;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.znode.ControllerNode;
import io.millrace.metadata.znode.Paths;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Commands about the office of the controller, over the wire.
class OfficeIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private int active() {
        return ControllerNode.parse(cluster.read(Paths.CONTROLLER).data()).id();
    }

    private void awaitActive(int id) {
        await().atMost(PATIENCE).until(() -> cluster.exists(Paths.CONTROLLER) && active() == id);
    }

    @Test
    void controllerThatIsAskedToResignsAndCanBeElectedAgain() {
        cluster.controller(0).awaitReady();
        cluster.broker(5).awaitActive();
        cluster.controller(1).awaitReady();
        await().atMost(PATIENCE).until(() -> resign(0, 1));
        awaitActive(1);

        assertThat(resign(0, 1)).as("a repeat, which reaches the next controller").isFalse();
        assertThat(active()).isEqualTo(1);
        await().atMost(PATIENCE).until(() -> resign(1, 2));
        awaitActive(0);
        assertThat(cluster.read(Paths.CONTROLLER_EPOCH).data()).isEqualTo("3");
    }

    /// Refused for as long as the standby has not been heard of.
    private boolean resign(int controller, int epoch) {
        try {
            return cluster.send(new ResignController(controller, epoch, "test")).resigned();
        } catch (AssertionError early) {
            assertThat(early).rootCause().isInstanceOfSatisfying(CommandRefused.class, refused -> assertThat(refused
                    .errorCode()).isEqualTo(Errors.ELIGIBLE_LEADERS_NOT_AVAILABLE.code()));
            return false;
        }
    }

    @Test
    void controllerWithoutAStandbyStays() {
        cluster.controller(0).awaitReady();

        assertThatThrownBy(() -> cluster.send(new ResignController(0, 1, "test"))).rootCause().isInstanceOf(
                CommandRefused.class).hasMessageContaining("No other controller");
        assertThat(active()).isZero();
    }

    @Test
    void whoFollowsIsDescribedWithHowFarItIs() {
        cluster.controller(0).awaitReady();
        cluster.broker(5).awaitActive();
        cluster.coordinator(1000).awaitActive();

        await().atMost(PATIENCE).untilAsserted(() -> {
            var told = cluster.send(new DescribeSubscribers());
            assertThat(told.controllerId()).isZero();
            assertThat(told.subscribers()).extracting(DescribeSubscribers.Row::role).containsExactly(Role.BROKER,
                    Role.COORDINATOR);
            assertThat(told.subscribers()).allMatch(row -> row.applied().reaches(told.published()) && row
                    .lagMillis() == 0);
        });
    }

    @Test
    void drainOutlivesTheControllerAndNotTheCoordinator() {
        var first = cluster.controller(0);
        cluster.broker(5).awaitActive();
        cluster.coordinator(1000).awaitActive();
        var drained = cluster.coordinator(1001).awaitActive();
        cluster.send(new DrainCoordinator(1001, true));
        cluster.controller(1).awaitReady();
        first.close();
        awaitActive(1);

        assertThatThrownBy(() -> cluster.send(new DrainCoordinator(1000, true))).hasMessageContaining(
                "No other coordinator");
        drained.close();
        cluster.coordinator(1001).awaitActive();
        await().atMost(PATIENCE).until(() -> cluster.send(new DrainCoordinator(1000, true)).remaining() >= 0);
    }
}
