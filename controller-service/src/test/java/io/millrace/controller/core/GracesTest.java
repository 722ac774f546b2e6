package io.millrace.controller.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.controller.core.ControllerEvent.GraceOver;
import io.millrace.controller.fixture.Cluster;
import io.millrace.metadata.image.NodeImage;
import org.junit.jupiter.api.Test;

class GracesTest {
    private static final Duration GRACE = Duration.ofSeconds(9);
    private static final NodeImage NODE = Cluster.broker(1, null);

    private final SimulatedLoop loop = new SimulatedLoop();
    private final List<GraceOver> over = new ArrayList<>();
    private boolean dead;
    private final Graces graces = new Graces(loop, loop.ticker(), GRACE, _ -> CompletableFuture.completedFuture(dead),
            over::add);

    @Test
    void silentNodeHasItsWholeGrace() {
        graces.begin(NODE);
        loop.advance(GRACE.minusMillis(1));
        assertThat(over).isEmpty();

        loop.advance(Duration.ofMillis(1));

        assertThat(over).containsExactly(new GraceOver(NODE.key(), NODE.epoch()));
    }

    @Test
    void deadNodeIsOverAtTheFirstProbeThatShowsIt() {
        graces.begin(NODE);
        loop.advance(Duration.ofSeconds(1));
        dead = true;

        loop.advance(Duration.ofMillis(500));

        assertThat(over).hasSize(1);
        loop.advance(GRACE);
        assertThat(over).hasSize(1);
    }

    @Test
    void nodeThatIsBackIsNotOver() {
        graces.begin(NODE);
        loop.advance(Duration.ofSeconds(8));

        graces.end(NODE.key());
        loop.advance(GRACE);

        assertThat(over).isEmpty();
    }

    @Test
    void lostAgainBeginsAnew() {
        graces.begin(NODE);
        loop.advance(Duration.ofSeconds(8));
        graces.begin(NODE);

        loop.advance(Duration.ofSeconds(8));

        assertThat(over).isEmpty();
    }

    @Test
    void aGraceThatIsBegunOnceIsForEachRegistrationAnew() {
        var again = new NodeImage(NODE.role(), NODE.id(), NODE.epoch() + 1, NODE.endpoints(), null, null, "", NODE
                .state());
        graces.beginOnce(NODE);
        loop.advance(Duration.ofSeconds(8));
        graces.beginOnce(NODE);
        loop.advance(GRACE.minusSeconds(8));
        assertThat(over).containsExactly(new GraceOver(NODE.key(), NODE.epoch()));

        graces.beginOnce(NODE);
        loop.advance(Duration.ofSeconds(1));
        graces.beginOnce(again);
        loop.advance(GRACE);

        assertThat(over).last().isEqualTo(new GraceOver(NODE.key(), NODE.epoch() + 1));
        assertThat(over).hasSize(2);
    }

    @Test
    void nothingIsOverAfterTheTerm() {
        graces.begin(NODE);

        graces.end();
        loop.advance(GRACE);

        assertThat(over).isEmpty();
    }
}
