package io.millrace.wire.connection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.netty.channel.EventLoop;
import lombok.extern.slf4j.Slf4j;

/// Netty's event loops as the project's own.
@Slf4j
public final class EventLoops {
    private EventLoops() {}

    /// A view on `eventLoop`: tasks run on its thread, between its I/O.
    public static Loop loopOf(EventLoop eventLoop) {
        return new NettyLoop(eventLoop);
    }

    private record NettyLoop(EventLoop eventLoop) implements Loop {
        @Override
        public void execute(Runnable task) {
            eventLoop.execute(() -> run(task));
        }

        @Override
        public Timeout schedule(Duration delay, Runnable task) {
            var scheduled = eventLoop.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        }

        @Override
        public boolean inLoop() {
            return eventLoop.inEventLoop();
        }

        private static void run(Runnable task) {
            try {
                task.run();
            } catch (RuntimeException | AssertionError failure) {
                log.error("a task failed on loop {}", Thread.currentThread().getName(), failure);
            }
        }
    }
}
