package io.millrace.metadata.image;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/// The registered nodes, by role and id.
///
/// @param byKey in the order of role and id
public record NodesImage(PSortedMap<NodeKey, NodeImage> byKey) {
    /// No node at all.
    public static final NodesImage EMPTY = new NodesImage(TreePMap.empty());

    /// The node with that role and id, in whatever state.
    public Optional<NodeImage> node(Role role, int id) {
        return Optional.ofNullable(byKey.get(new NodeKey(role, id)));
    }

    /// All nodes, in the order of role and id.
    public Collection<NodeImage> all() {
        return byKey.values();
    }

    /// The nodes of a role in whatever state, by id.
    public List<NodeImage> of(Role role) {
        return byKey.values().stream().filter(node -> node.role() == role).toList();
    }

    /// The active nodes of a role, by id.
    public List<NodeImage> live(Role role) {
        return byKey.values().stream().filter(node -> node.role() == role && node.active()).toList();
    }

    /// With `node` in place of the one of the same role and id.
    public NodesImage with(NodeImage node) {
        return new NodesImage(byKey.plus(node.key(), node));
    }

    /// Without that node.
    public NodesImage without(NodeKey node) {
        return new NodesImage(byKey.minus(node));
    }
}
