package io.millrace.controller;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.millrace.base.loop.Loop;
import io.millrace.controller.core.Controller;
import io.millrace.controller.core.Office;
import io.millrace.controller.publish.Subscribers;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.CommandHandler;
import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.DescribeSubscribers;
import io.millrace.metadata.command.NotActive;
import io.millrace.metadata.command.ResignController;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.Role;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Commands about the office itself, about which there is nothing to decide; all others go to the [Controller]. Callable from any
/// thread.
@Slf4j
final class OfficeCommands implements CommandHandler {
    private final Controller controller;
    private final Subscribers subscribers;
    private final Loop loop;
    private final Supplier<@Nullable ControllerAddress> active;
    private final Consumer<Office> resign;
    private @Nullable Office office;

    /// @param active who holds the office, for those that ask the wrong one
    /// @param resign gives that office up; called on the loop
    OfficeCommands(Controller controller, Subscribers subscribers, Loop loop,
            Supplier<@Nullable ControllerAddress> active, Consumer<Office> resign) {
        this.controller = controller;
        this.subscribers = subscribers;
        this.loop = loop;
        this.active = active;
        this.resign = resign;
    }

    /// The office that this controller holds; null where it holds none. Called on the loop.
    void holds(@Nullable Office now) {
        loop.assertInLoop();
        office = now;
    }

    @Override
    public <R> CompletableFuture<R> handle(Command<R> command) {
        return switch (command) {
            case ResignController asked -> onLoop(command, () -> resign(asked));
            case DescribeSubscribers _ -> onLoop(command, this::describe);
            default -> controller.handle(command);
        };
    }

    private ResignController.Result resign(ResignController command) {
        var image = image();
        var held = office;
        if (held == null || held.controllerId() != command.controllerId() || held.epoch() != command.epoch()) {
            return new ResignController.Result(false);
        }
        if (image.nodes().of(Role.CONTROLLER).stream().allMatch(node -> node.id() == held.controllerId())) {
            throw new CommandRefused(Errors.ELIGIBLE_LEADERS_NOT_AVAILABLE.code(),
                    "No other controller stands by to take over from controller " + held.controllerId() + ".");
        }
        log.info("asked to give up the office controller={} epoch={} reason=\"{}\"", held.controllerId(), held.epoch(),
                command.reason());
        // The answer first: whoever waits for it is told to look for another controller with the resignation.
        loop.execute(() -> resign.accept(held));
        return new ResignController.Result(true);
    }

    private DescribeSubscribers.Result describe() {
        var image = image();
        return new DescribeSubscribers.Result(image.controllerId(), image.version(), subscribers.describe());
    }

    private ClusterImage image() {
        return controller.published().orElseThrow(() -> new NotActive(active.get()));
    }

    private <R> CompletableFuture<R> onLoop(Command<R> command, Supplier<Object> work) {
        var result = new CompletableFuture<R>();
        try {
            loop.execute(() -> {
                try {
                    result.complete(command.resultType().cast(work.get()));
                } catch (RuntimeException refused) {
                    result.completeExceptionally(refused);
                }
            });
        } catch (RejectedExecutionException _) {
            result.completeExceptionally(new NotActive(active.get()));
        }
        return result;
    }
}
