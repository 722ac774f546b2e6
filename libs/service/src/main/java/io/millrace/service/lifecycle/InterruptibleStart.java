package io.millrace.service.lifecycle;

import java.util.concurrent.atomic.AtomicReference;

import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.event.ApplicationStartingEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.context.ApplicationListener;

/// Lets a process end that still waits for something while it starts. Spring's own shutdown hook waits for the start to
/// be over; this one interrupts the thread that starts, which then gives up.
@Slf4j
final class InterruptibleStart implements ApplicationListener<SpringApplicationEvent> {
    private final AtomicReference<@Nullable Thread> hook = new AtomicReference<>();

    @Override
    public void onApplicationEvent(SpringApplicationEvent event) {
        switch (event) {
            case ApplicationStartingEvent _ -> arm(Thread.currentThread());
            case ApplicationReadyEvent _ -> disarm();
            case ApplicationFailedEvent _ -> disarm();
            default -> log.trace("event={}", event);
        }
    }

    private void arm(Thread starter) {
        var interruption = Thread.ofPlatform().name("interrupt-start").unstarted(starter::interrupt);
        hook.set(interruption);
        Runtime.getRuntime().addShutdownHook(interruption);
    }

    private void disarm() {
        var armed = hook.getAndSet(null);
        if (armed == null) {
            return;
        }
        try {
            Runtime.getRuntime().removeShutdownHook(armed);
        } catch (IllegalStateException stopping) {
            log.debug("the process is stopping: {}", stopping.getMessage());
        }
    }
}
