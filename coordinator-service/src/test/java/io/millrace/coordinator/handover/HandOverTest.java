package io.millrace.coordinator.handover;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.millrace.base.loop.Ticker;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.command.ControllerClient;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import org.junit.jupiter.api.Test;

class HandOverTest {
    private final Queue<Supplier<CompletableFuture<ControlledShutdown.Result>>> answers = new ArrayDeque<>();
    private int asked;
    private ClusterImage image = ClusterImage.EMPTY;

    private final ControllerClient controller = new ControllerClient() {
        @Override
        public <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
            asked++;
            assertThat(((ControlledShutdown) command).nodeEpoch()).isEqualTo(77);
            return answers.remove().get().thenApply(command.resultType()::cast);
        }

        @Override
        public void close() {}
    };

    private final HandOver.Metadata metadata = new HandOver.Metadata() {
        @Override
        public ClusterImage image() {
            return image;
        }

        @Override
        public CompletableFuture<Void> await(Predicate<ClusterImage> condition, Duration atMost) {
            return condition.test(image)
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(new TimeoutException());
        }
    };

    private boolean run(boolean enabled) throws InterruptedException {
        return new HandOver(1000, enabled, controller, () -> 77, metadata, Ticker.SYSTEM).run();
    }

    private void owner(int shard, int owner) {
        image = image.with(ShardKind.GROUP, image.groupShards().with(new ShardImage(shard, owner, 1)));
    }

    private static CompletableFuture<ControlledShutdown.Result> remaining(int count) {
        return CompletableFuture.completedFuture(new ControlledShutdown.Result(count));
    }

    @Test
    void whoOwnsNothingAsksNobody() throws Exception {
        owner(0, 1001);

        assertThat(run(true)).isTrue();
        assertThat(asked).isZero();
    }

    @Test
    void itIsAskedForAgainUntilAllAreGone() throws Exception {
        owner(0, 1000);
        owner(1, 1000);
        answers.add(() -> {
            owner(0, 1001);
            return remaining(0);
        });
        answers.add(() -> CompletableFuture.failedFuture(new IllegalStateException("no controller")));
        answers.add(() -> {
            owner(1, 1001);
            return remaining(0);
        });

        assertThat(run(true)).isTrue();
        assertThat(asked).isEqualTo(3);
    }

    @Test
    void whereNobodyCanTakeThemItStopsAtOnce() throws Exception {
        owner(0, 1000);
        answers.add(() -> remaining(1));

        assertThat(run(true)).isFalse();
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void aControllerThatIsAwayKeepsNobody() throws Exception {
        owner(0, 1000);
        answers.add(() -> CompletableFuture.failedFuture(new IllegalStateException("no controller")));
        answers.add(() -> CompletableFuture.failedFuture(new IllegalStateException("no controller")));

        assertThat(run(true)).isFalse();
    }

    @Test
    void nothingIsHandedOverWhereThatIsNotWanted() throws Exception {
        owner(0, 1000);

        assertThat(run(false)).isFalse();
        assertThat(asked).isZero();
    }
}
