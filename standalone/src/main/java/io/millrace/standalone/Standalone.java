package io.millrace.standalone;

import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.millrace.admin.AdminApplication;
import io.millrace.broker.BrokerApplication;
import io.millrace.controller.ControllerApplication;
import io.millrace.coordinator.CoordinatorApplication;
import io.millrace.standalone.plan.Role;
import io.millrace.standalone.zookeeper.EmbeddedZooKeeper;
import io.millrace.standalone.zookeeper.ZooKeeperArguments;
import lombok.extern.slf4j.Slf4j;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;

/// The running roles. They start one after the other, since each makes the next one's classes warm, and stop the other
/// way round.
///
/// Threads: one starts and another may stop. A stop that comes while a role starts interrupts it, and goes on without it
/// if that does not help.
@Slf4j
final class Standalone {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final StandaloneArguments arguments;
    private final Runnable onRoleLost;
    private final Deque<Running> running = new ConcurrentLinkedDeque<>();
    /// Held while a role starts, so that a stop sees all that runs.
    private final ReentrantLock starting = new ReentrantLock();
    private final Thread starter = Thread.currentThread();
    private volatile boolean stopped;

    private record Running(Role role, AutoCloseable part) {}

    /// @param onRoleLost called once a role has ended by itself; it must not block
    Standalone(StandaloneArguments arguments, Runnable onRoleLost) {
        this.arguments = arguments;
        this.onRoleLost = onRoleLost;
    }

    /// Starts every role, on the thread that made this.
    ///
    /// @throws RoleFailed naming the role that cannot start; those before it run until [#stop]
    void start() throws RoleFailed {
        for (Role role : Role.values()) {
            starting.lock();
            try {
                if (stopped) {
                    return;
                }
                start(role);
            } finally {
                starting.unlock();
            }
        }
    }

    private void start(Role role) throws RoleFailed {
        try {
            AutoCloseable part = switch (role) {
                case ZOOKEEPER -> zookeeper();
                case CONTROLLER -> service(role, ControllerApplication.application());
                case BROKER -> service(role, BrokerApplication.application());
                case COORDINATOR -> service(role, CoordinatorApplication.application());
                case ADMIN -> service(role, AdminApplication.application());
            };
            running.push(new Running(role, part));
        } catch (Exception e) {
            throw new RoleFailed(role, e);
        }
    }

    private AutoCloseable zookeeper() throws Exception {
        ZooKeeperArguments zookeeper = ZooKeeperArguments.of(arguments.of(Role.ZOOKEEPER));
        return EmbeddedZooKeeper.start(zookeeper.address(), zookeeper.data());
    }

    private AutoCloseable service(Role role, SpringApplication application) {
        ApplicationListener<ContextClosedEvent> closed = _ -> onClosed(role);
        application.setRegisterShutdownHook(false);
        ConfigurableApplicationContext context = application.run(arguments.service(role));
        context.addApplicationListener(closed);
        return context;
    }

    private void onClosed(Role role) {
        if (!stopped) {
            log.error("A role has ended by itself role={}", role.label());
            onRoleLost.run();
        }
    }

    /// Stops what runs. Does not throw: a role that cannot stop is logged and the next one stopped.
    void stop() {
        stopped = true;
        boolean alone = awaitStarter();
        while (!running.isEmpty()) {
            stop(running.pop());
        }
        if (alone) {
            starting.unlock();
        }
    }

    private boolean awaitStarter() {
        if (starting.tryLock()) {
            return true;
        }
        starter.interrupt();
        try {
            return starting.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void stop(Running last) {
        try {
            last.part().close();
        } catch (Exception e) {
            log.error("Cannot stop role={}", last.role().label(), e);
        }
    }
}
