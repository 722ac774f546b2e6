package io.millrace.controller.node;

import java.util.Optional;

import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import org.jspecify.annotations.Nullable;

/// The states of a registered node. Its registration gone, the node is gone, whatever its state.
///
///     registered ──► FENCED ──stream up──► ACTIVE ──asked to stop──► SHUTTING_DOWN
///                       ▲──── no stream within the grace ───┴──────────────┘
public final class NodeLife {
    private NodeLife() {}

    /// Whether that registration is of the life that is known: it is the same one, or the same process lost its session
    /// and is back. A broker that lived on has all it had, and keeps its leaderships and its places in ISRs. A coordinator
    /// gives up its shards with its registration.
    ///
    /// @param known the node as it was known
    /// @param seen the node as it is registered
    public static boolean goesOn(NodeImage known, NodeImage seen) {
        return known.epoch() == seen.epoch() || (seen.role() == Role.BROKER && !seen.life().isEmpty() && seen.life()
                .equals(known.life()));
    }

    /// What a registration makes of a node. One that is new is another life, and starts fenced.
    ///
    /// @param before the node as it was known
    /// @param seen the node as it is registered; its state means nothing
    /// @param streaming whether the stream of exactly this registration is up
    /// @param presumed whether to take an unknown node for active until its grace is over: a controller that just took
    ///        over knows no streams yet, and must not take leaderships away from brokers that serve on
    public static NodeImage registered(Optional<NodeImage> before, NodeImage seen, boolean streaming,
            boolean presumed) {
        var sameLife = before.filter(known -> goesOn(known, seen));
        // A broker's registration has no room for these two: its stream told them.
        var node = sameLife.filter(_ -> seen.http() == null)
                .map(known -> seen.describedBy(known.http(), known.softwareVersion()))
                .orElse(seen);
        if (sameLife.isPresent()) {
            var known = sameLife.get();
            // The stream of a new registration may be up before that is seen.
            boolean back = streaming && known.state() == NodeState.FENCED;
            return node.in(back ? NodeState.ACTIVE : known.state()).withFailed(known.failedReplicas());
        }
        // Controllers follow ZooKeeper itself and open no streams.
        boolean active = streaming || presumed || seen.role() == Role.CONTROLLER;
        return node.in(active ? NodeState.ACTIVE : NodeState.FENCED);
    }

    /// The stream of this life is up and its first image applied.
    ///
    /// @param http root of its actuator and REST; null where it has none
    /// @param softwareVersion what it runs
    public static NodeImage streamUp(NodeImage node, @Nullable String http, String softwareVersion) {
        return node.describedBy(http, softwareVersion)
                .in(node.state() == NodeState.FENCED ? NodeState.ACTIVE : node.state());
    }

    /// The node has had no stream for longer than its grace.
    public static NodeImage graceOver(NodeImage node) {
        return node.role() == Role.CONTROLLER ? node : node.in(NodeState.FENCED);
    }

    /// The node asked to be relieved of what it leads.
    public static NodeImage shutdownAsked(NodeImage node) {
        return node.in(NodeState.SHUTTING_DOWN);
    }
}
