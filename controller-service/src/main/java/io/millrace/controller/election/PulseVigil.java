package io.millrace.controller.election;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.controller.ControllerHttp;
import io.millrace.metadata.zookeeper.Watch;
import io.netty.handler.codec.http.HttpResponseStatus;
import reactor.core.publisher.Flux;

/// Listens to the pulse that an active controller gives.
public final class PulseVigil implements Vigil {
    private final Duration silence;

    /// @param silence after which one that does not even break its connections is taken for dead
    public PulseVigil(Duration silence) {
        this.silence = silence;
    }

    @Override
    public Watch keep(ControllerAddress address, Consumer<Sign> signs) {
        var alive = new AtomicBoolean();
        var pulse = ControllerHttp.client(address)
                .get()
                .uri(ControllerHttp.PULSE)
                .response((response, body) -> response.status().code() == HttpResponseStatus.OK.code()
                        ? body
                        : Flux.empty())
                .timeout(silence)
                .subscribe(_ -> {
                    if (alive.compareAndSet(false, true)) {
                        signs.accept(Sign.ALIVE);
                    }
                }, failure -> signs.accept(failure instanceof TimeoutException ? Sign.SILENT : Sign.BROKEN),
                        () -> signs.accept(Sign.BROKEN));
        return pulse::dispose;
    }
}
