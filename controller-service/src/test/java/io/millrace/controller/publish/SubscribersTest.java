package io.millrace.controller.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.controller.core.ControllerEvent;
import io.millrace.controller.core.ControllerEvent.StreamDown;
import io.millrace.controller.core.ControllerEvent.StreamUp;
import io.millrace.controller.fixture.Cluster;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.stream.Hello;
import io.millrace.metadata.stream.Subscriber;
import org.junit.jupiter.api.Test;

class SubscribersTest {
    private static final NodeKey ONE = new NodeKey(Role.BROKER, 1);
    private static final Duration WAIT = Duration.ofSeconds(5);

    private final SimulatedLoop loop = new SimulatedLoop();
    private final List<ControllerEvent> events = new ArrayList<>();
    private final Subscribers subscribers = new Subscribers(loop, loop.ticker(), events::add);

    @Test
    void nodeIsUpOnceItAppliedItsFirstImage() {
        subscribers.published(image(1));
        subscribers.connected(stream(10, MetadataVersion.NONE));
        loop.runPending();
        assertThat(events).isEmpty();

        subscribers.applied(stream(10, MetadataVersion.NONE), version(1));
        subscribers.applied(stream(10, MetadataVersion.NONE), version(1));
        loop.runPending();

        assertThat(events).containsExactly(new StreamUp(ONE, 1, "http", "test"));
    }

    @Test
    void nodeThatComesBackWithTheCurrentImageIsUpAtOnce() {
        subscribers.published(image(1));

        subscribers.connected(stream(10, version(1)));
        loop.runPending();

        assertThat(events).containsExactly(new StreamUp(ONE, 1, "http", "test"));
    }

    @Test
    void streamThatWasReplacedEndsWithoutAWord() {
        subscribers.published(image(1));
        subscribers.connected(stream(10, MetadataVersion.NONE));
        subscribers.connected(stream(11, MetadataVersion.NONE));
        subscribers.applied(stream(11, MetadataVersion.NONE), version(1));
        subscribers.applied(stream(10, MetadataVersion.NONE), version(1));
        subscribers.disconnected(stream(10, MetadataVersion.NONE));
        loop.runPending();
        assertThat(events).containsExactly(new StreamUp(ONE, 1, "http", "test"));

        subscribers.disconnected(stream(11, MetadataVersion.NONE));
        loop.runPending();

        assertThat(events).last().isEqualTo(new StreamDown(ONE, 1));
    }

    @Test
    void versionIsAppliedOnceEveryActiveNodeHasIt() {
        connect(1, 2);
        subscribers.published(image(2));

        var applied = subscribers.await(version(2), WAIT);
        subscribers.applied(stream(1, 1), version(2));
        loop.runPending();
        assertThat(applied).isNotDone();
        subscribers.applied(stream(2, 2), version(2));
        loop.runPending();

        assertThat(applied).isCompletedWithValue(true);
        assertThat(subscribers.await(version(2), WAIT)).isCompletedWithValue(true);
    }

    @Test
    void nodeThatIsFencedIsNotWaitedFor() {
        connect(1, 2);
        subscribers.published(image(2));
        var applied = subscribers.await(version(2), WAIT);
        subscribers.applied(stream(1, 1), version(2));
        loop.runPending();

        var fenced = new Cluster(image(3)).with(Cluster.node(Role.BROKER, 2, 1, null, NodeState.FENCED)).image();
        subscribers.published(fenced);

        assertThat(applied).isCompletedWithValue(true);
    }

    @Test
    void waitingEndsAtItsDeadlineAndWithTheTerm() {
        connect(1, 2);
        subscribers.published(image(2));
        CompletableFuture<Boolean> late = subscribers.await(version(2), WAIT);
        loop.advance(WAIT);
        assertThat(late).isCompletedWithValue(false);

        var cut = subscribers.await(version(2), WAIT);
        subscribers.end();

        assertThat(cut).isCompletedWithValue(false);
    }

    @Test
    void lagIsTheAgeOfTheOldestVersionThatSomebodyHasNotApplied() {
        connect(1, 2);
        assertThat(subscribers.lag()).isZero();

        subscribers.published(image(2));
        loop.advance(Duration.ofSeconds(1));
        subscribers.published(image(3));
        loop.advance(Duration.ofSeconds(1));
        assertThat(subscribers.lag()).isEqualTo(Duration.ofSeconds(2));
        for (int broker = 1; broker <= 2; broker++) {
            subscribers.applied(stream(broker, broker), version(2));
        }
        loop.runPending();

        assertThat(subscribers.lag()).isEqualTo(Duration.ofSeconds(1));
    }

    private void connect(int... brokers) {
        subscribers.published(image(1));
        for (int broker : brokers) {
            subscribers.connected(stream(broker, broker));
            subscribers.applied(stream(broker, broker), version(1));
        }
        loop.runPending();
    }

    private static ClusterImage image(long sequence) {
        return Cluster.ofBrokers(1, 2).image().at(version(sequence));
    }

    private static MetadataVersion version(long sequence) {
        return new MetadataVersion(1, sequence);
    }

    private static Subscriber stream(long id, MetadataVersion last) {
        return new Subscriber(id, new Hello(Role.BROKER, 1, 1, last, "http", "test"), "remote");
    }

    private static Subscriber stream(long id, int broker) {
        return new Subscriber(id, new Hello(Role.BROKER, broker, 1, MetadataVersion.NONE, "http", "test"), "remote");
    }
}
