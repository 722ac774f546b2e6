package io.millrace.controller.core;

import java.util.HashSet;
import java.util.List;
import java.util.function.UnaryOperator;

import io.millrace.controller.node.NodeLife;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.record.MetadataRecord.NodePut;
import io.millrace.metadata.record.MetadataRecord.NodeRemoved;

/// What registrations and streams make of nodes. What partitions and shards make of that is for [Settlement].
final class NodeDecisions {
    private NodeDecisions() {}

    /// Takes away the nodes of which another life is registered now: what the old life led or owned must be seen to end,
    /// also where the new one is there already.
    ///
    /// @return whether there were any
    static boolean bury(Draft draft, List<NodeImage> seen) {
        var reborn = seen.stream()
                .filter(node -> draft.image()
                        .nodes()
                        .node(node.role(), node.id())
                        .filter(known -> !NodeLife.goesOn(known, node))
                        .isPresent())
                .toList();
        reborn.forEach(node -> draft.record(new NodeRemoved(node.role(), node.id())));
        return !reborn.isEmpty();
    }

    /// @param presumed see [NodeLife#registered]
    static void registered(Draft draft, List<NodeImage> seen, boolean presumed) {
        var gone = new HashSet<>(draft.image().nodes().byKey().keySet());
        for (var node : seen) {
            gone.remove(node.key());
            var before = draft.image().nodes().node(node.role(), node.id());
            boolean streaming = draft.state().streams(node.key(), node.epoch());
            put(draft, NodeLife.registered(before, node, streaming, presumed));
        }
        gone.forEach(node -> draft.record(new NodeRemoved(node.role(), node.id())));
    }

    static void happened(Draft draft, ControllerEvent event) {
        switch (event) {
            case ControllerEvent.StreamUp(NodeKey node, long epoch, String http, String software) -> {
                draft.update(state -> state.withStream(node, epoch));
                change(draft, node, epoch, known -> NodeLife.streamUp(known, http, software));
            }
            case ControllerEvent.StreamDown(NodeKey node, long epoch) -> {
                if (draft.state().streams(node, epoch)) {
                    draft.update(state -> state.withoutStream(node));
                }
            }
            case ControllerEvent.GraceOver(NodeKey node, long epoch) -> {
                if (!draft.state().streams(node, epoch)) {
                    change(draft, node, epoch, NodeLife::graceOver);
                }
            }
        }
    }

    /// Changes that life of a node; nothing where it is another one, or none.
    static void change(Draft draft, NodeKey node, long epoch, UnaryOperator<NodeImage> change) {
        draft.image()
                .nodes()
                .node(node.role(), node.id())
                .filter(known -> known.epoch() == epoch)
                .ifPresent(known -> put(draft, change.apply(known)));
    }

    private static void put(Draft draft, NodeImage node) {
        if (!node.equals(draft.image().nodes().byKey().get(node.key()))) {
            draft.record(new NodePut(node));
        }
    }
}
