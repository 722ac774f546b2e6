package io.millrace.controller.election;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.millrace.base.loop.Loop;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.znode.MalformedZnode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.ServiceRegistration;
import io.millrace.metadata.zookeeper.Watch;
import io.millrace.metadata.zookeeper.Znode;
import io.millrace.metadata.zookeeper.Znodes;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// Where the holder of the office is, so that a standby can send callers there and see when it dies.
@Slf4j
public final class Incumbent implements Rivals {
    /// How often in a row it must have been silent, each time on a new connection: the first time it may be this process
    /// that came to nothing. Once more with each mistake, so that machines that are too slow for it come to rest.
    private static final int SILENCES_OF_THE_DEAD = 2;
    private static final int SILENCES_AT_MOST = 10;

    private final int self;
    private final Znodes znodes;
    private final Loop loop;
    private final PortProbe probe;
    private final Vigil vigil;
    private final Consumer<@Nullable ControllerAddress> onChange;
    private volatile @Nullable ControllerAddress address;

    // On the loop alone.
    private Runnable onSuspicion = () -> {};
    private @Nullable Watch watch;
    private long term;
    private int silences;
    private int patience = SILENCES_OF_THE_DEAD;
    /// Whom this controller took for dead last.
    private int taken = -1;

    /// @param self id of this controller, which needs no watching
    /// @param vigil kept over the holder
    /// @param onChange told on the loop whenever the holder, or where it is, turned out to be another; null for nobody
    public Incumbent(int self, Znodes znodes, Loop loop, PortProbe probe, Vigil vigil,
            Consumer<@Nullable ControllerAddress> onChange) {
        this.self = self;
        this.znodes = znodes;
        this.loop = loop;
        this.probe = probe;
        this.vigil = vigil;
        this.onChange = onChange;
    }

    /// Where the holder is, as far as is known. Callable from any thread.
    public @Nullable ControllerAddress address() {
        return address;
    }

    @Override
    public void onSuspicion(Runnable suspected) {
        onSuspicion = suspected;
    }

    /// Who wins the office anew lives, whatever was heard of it before.
    @Override
    public void held(int controllerId, long czxid) {
        loop.assertInLoop();
        if (term != czxid) {
            term = czxid;
            if (controllerId == taken) {
                patience = Math.min(patience + 1, SILENCES_AT_MOST);
                log.warn("a controller that was taken for dead lives controller={} patience={}", controllerId,
                        patience);
            }
            taken = -1;
            endWatch();
        }
    }

    /// A look showed who holds the office; -1 where nobody does. Called on the loop.
    public void is(int controllerId) {
        loop.assertInLoop();
        var known = address;
        if (controllerId < 0) {
            become(null);
        } else if (known == null || known.id() != controllerId) {
            read(controllerId).whenCompleteAsync((found, failure) -> {
                if (failure != null) {
                    log.debug("the holder's address is not known controller={} cause={}", controllerId, failure
                            .toString());
                } else {
                    become(found.orElse(null));
                }
            }, loop);
        } else if (watch == null) {
            watchOver(known);
        }
    }

    @Override
    public CompletableFuture<Boolean> isDead(int controllerId) {
        loop.assertInLoop();
        var watched = address;
        boolean hangs = silences >= patience && watched != null && watched.id() == controllerId;
        return hangs
                ? CompletableFuture.completedFuture(true)
                : read(controllerId)
                        .thenCompose(found -> found.isEmpty()
                                ? CompletableFuture.completedFuture(false)
                                : probe.refuses(found.get().host(), found.get().port()))
                        .exceptionally(_ -> false);
    }

    private void become(@Nullable ControllerAddress next) {
        if (next == null ? address != null : !next.equals(address)) {
            address = next;
            endWatch();
            onChange.accept(next);
            if (next != null) {
                watchOver(next);
            }
        }
    }

    private void watchOver(ControllerAddress holder) {
        if (holder.id() == self) {
            return;
        }
        var signs = new Signs(holder);
        watch = vigil.keep(holder, sign -> loop.execute(() -> signs.seen(sign)));
        signs.of = watch;
    }

    private void endWatch() {
        silences = 0;
        if (watch != null) {
            watch.close();
            watch = null;
        }
    }

    /// What one watch sees; what a former one sees counts for nothing.
    private final class Signs {
        private final ControllerAddress holder;
        private @Nullable Watch of;
        private boolean alive;

        Signs(ControllerAddress holder) {
            this.holder = holder;
        }

        void seen(Vigil.Sign sign) {
            if (of == null || !of.equals(watch)) {
                return;
            }
            switch (sign) {
                case ALIVE -> {
                    alive = true;
                    silences = 0;
                }
                case BROKEN -> {
                    silences = 0;
                    if (alive) {
                        suspect("broken");
                    } else {
                        // It may be about to take over: the next look watches it again.
                        watch = null;
                    }
                }
                case SILENT -> {
                    silences++;
                    if (silences < patience) {
                        watchOver(holder);
                    } else {
                        taken = holder.id();
                        suspect("silent");
                    }
                }
            }
        }

        private void suspect(String cause) {
            watch = null;
            log.info("the active controller is suspected to be dead controller={} cause={}", holder, cause);
            onSuspicion.run();
        }
    }

    private CompletableFuture<Optional<ControllerAddress>> read(int controllerId) {
        return znodes.read(Paths.node(new NodeKey(Role.CONTROLLER, controllerId))).thenApply(found -> found.flatMap(
                znode -> parse(controllerId, znode)));
    }

    private static Optional<ControllerAddress> parse(int controllerId, Znode znode) {
        try {
            var registration = ServiceRegistration.parse(znode.data());
            return Optional.of(new ControllerAddress(controllerId, registration.host(), registration.port()));
        } catch (MalformedZnode _) {
            return Optional.empty();
        }
    }
}
