package io.millrace.service.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.stream.StreamListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MetadataSubscriptionTest {
    private static final Changes NOTHING = new Changes(Set.of(), Set.of(), Set.of(), Set.of(), Set.of());
    private static final ClusterImage FIRST = ClusterImage.EMPTY.at(new MetadataVersion(1, 1));
    private static final ClusterImage SECOND = ClusterImage.EMPTY.at(new MetadataVersion(1, 2));

    private final SimulatedLoop loop = new SimulatedLoop();
    private final FakeStream stream = new FakeStream();
    private final MetadataSubscription subscription = new MetadataSubscription(loop, stream::told);
    private final List<String> told = new ArrayList<>();

    @Test
    void listenersAreToldInTheirOrderEachOnceTheOneBeforeIsDone() {
        var slow = new CompletableFuture<Void>();
        subscription.onChange((_, after, _) -> tell("one " + after.version(), slow));
        subscription.onChange((_, after, _) -> tell("two " + after.version(), CompletableFuture.completedFuture(null)));

        var applied = stream.apply(ClusterImage.EMPTY, FIRST);
        loop.runPending();
        assertThat(told).containsExactly("one 1.1");
        assertThat(applied).isNotDone();
        assertThat(subscription.image()).isEqualTo(FIRST);

        slow.complete(null);
        loop.runPending();
        assertThat(told).containsExactly("one 1.1", "two 1.1");
        assertThat(applied).isCompleted();
    }

    @Test
    void aListenerThatFailsDoesNotHoldTheOthersUpAndIsReported() {
        subscription.onChange((_, _, _) -> {
            throw new IllegalStateException("bug");
        });
        subscription.onChange((_, after, _) -> tell("two " + after.version(), CompletableFuture.completedFuture(null)));

        var applied = stream.apply(ClusterImage.EMPTY, FIRST);
        loop.runPending();

        assertThat(told).containsExactly("two 1.1");
        assertThat(applied).isCompletedExceptionally();
        assertThat(subscription.image()).isEqualTo(FIRST);
    }

    @Test
    void aListenerThatNeverEndsIsLeftBehind() {
        subscription.onChange((_, _, _) -> new CompletableFuture<>());
        var applied = stream.apply(ClusterImage.EMPTY, FIRST);

        loop.advance(Duration.ofMinutes(2));

        assertThat(applied).isCompletedExceptionally();
    }

    @Test
    void waitingEndsOnceListenersHaveTakenTheImageOver() {
        var slow = new CompletableFuture<Void>();
        subscription.onChange((_, _, _) -> slow);
        var reached = subscription.await(image -> image.version().reaches(FIRST.version()), Duration.ofSeconds(5));

        stream.apply(ClusterImage.EMPTY, FIRST);
        loop.runPending();
        assertThat(reached).isNotDone();

        slow.complete(null);
        loop.runPending();
        assertThat(reached).isCompleted();
        var atOnce = subscription.await(image -> image.version().reaches(FIRST.version()), Duration.ofSeconds(5));
        loop.runPending();
        assertThat(atOnce).isCompleted();
    }

    @Test
    void waitingEndsWithATimeout() {
        var reached = subscription.await(image -> image.version().reaches(SECOND.version()), Duration.ofSeconds(5));
        stream.apply(ClusterImage.EMPTY, FIRST);

        loop.advance(Duration.ofSeconds(5));

        assertThat(reached).isCompletedExceptionally();
        assertThat(reached.exceptionNow()).isInstanceOf(TimeoutException.class);
    }

    @Test
    void itIsConnectedWhileTheStreamIs() {
        subscription.start();
        assertThat(stream.started).isTrue();
        assertThat(subscription.connected()).isFalse();

        stream.listener().connected(true);
        assertThat(subscription.connected()).isTrue();

        subscription.close();
        assertThat(subscription.connected()).isFalse();
        assertThat(stream.closed).isTrue();
    }

    private CompletableFuture<Void> tell(String what, CompletableFuture<Void> done) {
        told.add(what);
        return done;
    }

    private static final class FakeStream implements MetadataSubscription.Upstream {
        private @Nullable StreamListener listener;
        private boolean started;
        private boolean closed;

        FakeStream told(StreamListener told) {
            listener = told;
            return this;
        }

        StreamListener listener() {
            return Objects.requireNonNull(listener);
        }

        CompletableFuture<Void> apply(ClusterImage before, ClusterImage after) {
            return listener().apply(before, after, NOTHING);
        }

        @Override
        public void start() {
            started = true;
        }

        @Override
        public void reconnect(String reason) {
            started = true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
