package io.millrace.controller.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.metadata.command.ElectLeaders.TopicPartition;
import lombok.extern.slf4j.Slf4j;

/// Looks from time to time for leaderships that should go back to their preferred leaders, and gives them back a batch at
/// a time, so that other work of the term gets its turn. Confined to the controller's loop.
@Slf4j
final class Balancing {
    private static final int AT_ONCE = 500;
    /// As Kafka waits after a new controller.
    private static final Duration FIRST_LOOK = Duration.ofSeconds(5);

    private final BalancePlan plan;
    private final Loop loop;
    private final Decider decider;
    private final StateKeeper keeper;
    private final WorkQueue queue;
    private int waiting;
    private Optional<Timeout> next = Optional.empty();

    Balancing(BalancePlan plan, Loop loop, Decider decider, StateKeeper keeper, WorkQueue queue) {
        this.plan = plan;
        this.loop = loop;
        this.decider = decider;
        this.keeper = keeper;
        this.queue = queue;
    }

    void begin() {
        schedule(FIRST_LOOK.compareTo(plan.interval()) < 0 ? FIRST_LOOK : plan.interval());
    }

    void end() {
        next.ifPresent(Timeout::cancel);
        next = Optional.empty();
    }

    private void schedule(Duration delay) {
        next = Optional.of(loop.schedule(delay, this::look));
    }

    private void look() {
        schedule(plan.interval());
        if (waiting > 0) {
            return; // ZooKeeper is away or slow
        }
        var found = plan.balance().toGiveBack(keeper.image());
        if (!found.isEmpty()) {
            log.info("leaders go back to their preferred brokers partitions={}", found.size());
        }
        for (int from = 0; from < found.size(); from += AT_ONCE) {
            giveBack(List.copyOf(found.subList(from, Math.min(found.size(), from + AT_ONCE))));
        }
    }

    private void giveBack(List<TopicPartition> batch) {
        waiting++;
        queue.add(() -> {
            waiting--;
            return keeper.decide(now -> decider.givenBack(now, batch));
        });
    }
}
