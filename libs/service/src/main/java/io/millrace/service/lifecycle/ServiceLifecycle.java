package io.millrace.service.lifecycle;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.millrace.base.loop.Ticker;
import lombok.extern.slf4j.Slf4j;
import org.springframework.context.SmartLifecycle;

/// Starts the steps of a service in order and stops them in reverse, each within its deadline and with one line of log.
///
/// Spring calls it after the web server has its port (so that a registration can tell it) and, on the way down, before
/// the web server stops. Only Spring's thread calls it.
@Slf4j
public final class ServiceLifecycle implements SmartLifecycle {
    private final String service;
    private final List<Step> steps;
    private final Ticker ticker;
    private final Deque<Step> begun = new ArrayDeque<>();
    private volatile boolean running;

    /// @param service its role and id, for logs and thread names: `broker-0`
    /// @param steps in the order of their start
    public ServiceLifecycle(String service, List<Step> steps, Ticker ticker) {
        this.service = service;
        this.steps = List.copyOf(steps);
        this.ticker = ticker;
    }

    /// Starts every step. Where one fails, those begun are stopped again.
    ///
    /// @throws StartRefused where a step refused, failed or took too long; its message names the step
    @Override
    public void start() {
        for (var step : steps) {
            begun.push(step);
            long from = ticker.nanos();
            try {
                within(step.atMost(), step.name(), step.start());
            } catch (Exception failure) {
                stop();
                throw refusal(step, failure);
            }
            log.info("started service={} step={} millis={}", service, step.name(), ticker.since(from).toMillis());
        }
        running = true;
    }

    /// Stops what was begun. A step that fails or takes too long is logged and does not keep the others from stopping.
    @Override
    public void stop() {
        running = false;
        while (!begun.isEmpty()) {
            var step = begun.pop();
            long from = ticker.nanos();
            try {
                within(step.atMost(), step.name(), step.stop());
                log.info("stopped service={} step={} millis={}", service, step.name(), ticker.since(from).toMillis());
            } catch (Exception failure) {
                log.warn("stopping failed service={} step={} millis={}", service, step.name(),
                        ticker.since(from).toMillis(), failure);
            }
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    private StartRefused refusal(Step step, Exception failure) {
        Throwable cause = failure;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause(); // a step may have waited for a future
        }
        if (cause instanceof StartRefused refused) {
            return refused;
        }
        log.debug("start failed service={} step={}", service, step.name(), failure);
        return new StartRefused(service + " could not start: step " + step.name() + ": "
                + (failure instanceof TimeoutException ? "took longer than " + step.atMost() : cause));
    }

    private void within(Duration atMost, String name, Step.Action action) throws Exception {
        var task = new FutureTask<Void>(() -> {
            action.run();
            return null;
        });
        var thread = Thread.ofVirtual().name(service + "-" + name).start(task);
        try {
            task.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        } catch (TimeoutException late) {
            thread.interrupt();
            throw late;
        }
    }
}
