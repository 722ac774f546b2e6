package io.millrace.controller.core;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.millrace.base.loop.Deadline;
import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.base.loop.Timeout;
import io.millrace.controller.core.ControllerEvent.GraceOver;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeKey;
import lombok.extern.slf4j.Slf4j;

/// Nodes without a stream that may still come back. Each is probed at once and then now and then, so that a dead one does
/// not keep its leaderships until its grace is over: a process that is killed may lose its connections a moment before its
/// port. Confined to the controller's loop.
@Slf4j
final class Graces {
    private static final List<Duration> PROBES = Stream.of(0, 10, 30, 60, 100, 300).map(Duration::ofMillis).toList();
    private static final Duration NEXT_PROBE = Duration.ofMillis(500);

    private final Loop loop;
    private final Ticker ticker;
    private final Duration grace;
    private final Probe probe;
    private final Consumer<GraceOver> onOver;
    private final Map<NodeKey, Waiting> waiting = new HashMap<>();

    Graces(Loop loop, Ticker ticker, Duration grace, Probe probe, Consumer<GraceOver> onOver) {
        this.loop = loop;
        this.ticker = ticker;
        this.grace = grace;
        this.probe = probe;
        this.onOver = onOver;
    }

    private record Waiting(NodeImage node, Deadline deadline, Timeout nextProbe) {}

    /// Begins the grace of a node, anew where it has one already.
    void begin(NodeImage node) {
        end(node.key());
        schedule(node, Deadline.in(grace, ticker), 0);
    }

    /// Begins the grace of a node where that registration of it has none.
    void beginOnce(NodeImage node) {
        var under = waiting.get(node.key());
        if (under == null || under.node().epoch() != node.epoch()) {
            begin(node);
        }
    }

    /// The node is back.
    void end(NodeKey node) {
        var ended = waiting.remove(node);
        if (ended != null) {
            ended.nextProbe().cancel();
        }
    }

    /// Ends all of them.
    void end() {
        waiting.values().forEach(each -> each.nextProbe().cancel());
        waiting.clear();
    }

    private void schedule(NodeImage node, Deadline deadline, int probes) {
        var delay = probes < PROBES.size() ? PROBES.get(probes) : NEXT_PROBE;
        var bounded = delay.compareTo(deadline.remaining()) < 0 ? delay : deadline.remaining();
        waiting.put(node.key(), new Waiting(node, deadline, loop.schedule(bounded, () -> check(node, deadline,
                probes))));
    }

    private void check(NodeImage node, Deadline deadline, int probes) {
        if (deadline.passed()) {
            over(node, "silent");
            return;
        }
        probe.isDead(node).thenAcceptAsync(dead -> {
            var now = waiting.get(node.key());
            if (now == null || !now.deadline().equals(deadline)) {
                return;
            }
            if (dead) {
                over(node, "dead");
            } else {
                schedule(node, deadline, probes + 1);
            }
        }, loop);
    }

    private void over(NodeImage node, String cause) {
        waiting.remove(node.key());
        log.info("node without a stream role={} id={} epoch={} cause={}", node.role(), node.id(), node.epoch(), cause);
        onOver.accept(new GraceOver(node.key(), node.epoch()));
    }
}
