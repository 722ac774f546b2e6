package io.millrace.tests.simulation;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntFunction;

import io.millrace.base.simulation.SimulatedProcess;
import io.millrace.controller.election.Vigil;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.zookeeper.Watch;

/// Asks the active controller again and again whether it lives.
record SimulatedVigil(World world, SimulatedProcess process, IntFunction<SimulatedController> controllers)
        implements
            Vigil {
    private static final Duration PULSE = Duration.ofMillis(300);

    @Override
    public Watch keep(ControllerAddress address, Consumer<Sign> signs) {
        var kept = new Kept(address, signs);
        kept.ask();
        return () -> kept.over = true;
    }

    private final class Kept {
        private final ControllerAddress address;
        private final Consumer<Sign> signs;
        private long heardNanos = world.loop().ticker().nanos();
        private boolean told;
        private boolean over;

        Kept(ControllerAddress address, Consumer<Sign> signs) {
            this.address = address;
            this.signs = signs;
        }

        void ask() {
            if (over) {
                return;
            }
            if (world.loop().ticker().since(heardNanos).compareTo(Settings.STREAM.silence()) > 0) {
                end(Sign.SILENT);
                return;
            }
            world.network().call(process, address.host(), () -> controllers.apply(address.id()).isActive()
                    ? CompletableFuture.completedFuture(true)
                    : CompletableFuture.<Boolean>failedFuture(new IOException("not active"))).whenComplete((_,
                            failure) -> answered(failure == null));
            process.schedule(PULSE, this::ask);
        }

        private void answered(boolean alive) {
            if (over) {
                return;
            }
            if (!alive) {
                end(Sign.BROKEN);
                return;
            }
            heardNanos = world.loop().ticker().nanos();
            if (!told) {
                told = true;
                signs.accept(Sign.ALIVE);
            }
        }

        private void end(Sign sign) {
            over = true;
            signs.accept(sign);
        }
    }
}
