package io.millrace.service.subscription;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;

import io.millrace.base.loop.Loop;
import io.millrace.metadata.controller.ActiveController;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.znode.ControllerNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.ServiceRegistration;
import io.millrace.metadata.zookeeper.Watch;
import io.millrace.metadata.zookeeper.Znode;
import io.millrace.metadata.zookeeper.Znodes;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// Finds the active controller by `/controller` and the registration of the one named there, and keeps the answer until
/// one of them changes. While ZooKeeper is away the last answer stands.
@Slf4j
public final class ZnodeActiveController implements ActiveController, AutoCloseable {
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(5);

    private final Znodes znodes;
    private final Loop loop;
    private final List<Watch> watches;

    // On the loop alone.
    private @Nullable ControllerAddress known;
    private long term;
    private boolean fresh;
    private long look;
    private final List<CompletableFuture<ControllerAddress>> waiting = new ArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /// @param czxid of `/controller`: differs for each term
    private record Elected(ControllerAddress address, long czxid) {}

    /// @param loop on which all of it runs
    public ZnodeActiveController(Znodes znodes, Loop loop) {
        this.znodes = znodes;
        this.loop = loop;
        this.watches = List.of(znodes.watch(Paths.CONTROLLER, loop, _ -> look()),
                znodes.watch(Paths.services(Role.CONTROLLER), loop, _ -> look()));
    }

    @Override
    public CompletableFuture<ControllerAddress> locate() {
        var answer = new CompletableFuture<ControllerAddress>();
        loop.execute(() -> {
            if (fresh && known != null) {
                answer.complete(known);
                return;
            }
            waiting.add(answer);
            // It stays among those waiting until the look ends, which ZooKeeper's client bounds; a second answer is none.
            var timeout = loop.schedule(LONGEST_LOOK, () -> answerWithKnown(answer,
                    new IOException("ZooKeeper did not say who the controller is")));
            answer.whenComplete((_, _) -> timeout.cancel());
            look();
        });
        return answer;
    }

    @Override
    public void forget(ControllerAddress address) {
        loop.execute(() -> fresh &= !address.equals(known));
    }

    @Override
    public void onChange(Runnable changed) {
        listeners.add(changed);
    }

    /// Ends the watches.
    @Override
    public void close() {
        watches.forEach(Watch::close);
    }

    private void look() {
        long mine = ++look;
        znodes.read(Paths.CONTROLLER).thenCompose(found -> found.map(this::registrationOf)
                .orElseGet(() -> CompletableFuture.failedFuture(new NoController("no controller is elected"))))
                .whenComplete((elected, failure) -> loop.execute(() -> {
                    if (mine == look) { // else a later look is under way and knows better
                        looked(elected, failure);
                    }
                }));
    }

    private CompletableFuture<Elected> registrationOf(Znode elected) {
        int id = ControllerNode.parse(elected.data()).id();
        return znodes.read(Paths.node(new NodeKey(Role.CONTROLLER, id))).thenApply(found -> {
            var registration = found.map(node -> ServiceRegistration.parse(node.data())).orElseThrow(
                    () -> new CompletionException(new NoController("controller " + id + " is not registered")));
            return new Elected(new ControllerAddress(id, registration.host(), registration.port()), elected.czxid());
        });
    }

    private void looked(@Nullable Elected elected, @Nullable Throwable failure) {
        if (elected != null) {
            boolean isAnother = elected.czxid() != term;
            if (isAnother) {
                log.info("active controller from={} to={}", known, elected.address());
            }
            known = elected.address();
            term = elected.czxid();
            fresh = true;
            if (isAnother) {
                listeners.forEach(Runnable::run);
            }
        } else if (cause(failure) instanceof NoController) {
            known = null;
            fresh = false;
        }
        var answers = List.copyOf(waiting);
        waiting.clear();
        answers.forEach(answer -> answerWithKnown(answer, failure));
    }

    private void answerWithKnown(CompletableFuture<ControllerAddress> answer, @Nullable Throwable failure) {
        if (known != null) {
            answer.complete(known);
        } else {
            answer.completeExceptionally(cause(failure) instanceof IOException accident
                    ? accident
                    : new IOException("the active controller is unknown", failure));
        }
    }

    private static @Nullable Throwable cause(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /// ZooKeeper answered, and there is none.
    private static final class NoController extends IOException {
        NoController(String message) {
            super(message);
        }
    }
}
