package io.millrace.base.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

class SingleThreadLoopTest {

    @Test
    void tasksRunInOrderOnOneThreadAndAFailureStopsNothing() throws InterruptedException {
        var seen = new ArrayList<Integer>();
        var done = new CountDownLatch(1);
        try (var loop = new SingleThreadLoop("test")) {
            for (int i = 0; i < 100; i++) {
                int number = i;
                loop.execute(() -> {
                    loop.assertInLoop();
                    seen.add(number);
                    if (number == 50) {
                        throw new IllegalStateException("planned");
                    }
                });
            }
            loop.schedule(Duration.ofMillis(1), done::countDown);
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(seen).hasSize(100).isSorted();
            assertThatThrownBy(loop::assertInLoop).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aCancelledTaskDoesNotRun() throws InterruptedException {
        var late = new CountDownLatch(1);
        try (var loop = new SingleThreadLoop("test")) {
            loop.schedule(Duration.ofMillis(50), late::countDown).cancel();
            assertThat(late.await(150, TimeUnit.MILLISECONDS)).isFalse();
        }
    }
}
