package io.millrace.service.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import org.jspecify.annotations.Nullable;

/// A node as Metadata and DescribeCluster list it to the clients of one listener. Brokers and coordinators are listed
/// alike, since clients look a coordinator's id up in that list. **pure**
///
/// @param rack null where it has none
record ListedNode(int id, String host, int port, @Nullable String rack, boolean fenced) {

    /// The nodes that are there for clients of `listener`, brokers first, by id. One that shuts down is among them for as
    /// long as it may lead.
    static List<ListedNode> all(ClusterImage image, String listener) {
        return list(image, listener, false);
    }

    /// The same, and those that are fenced.
    static List<ListedNode> allWithFenced(ClusterImage image, String listener) {
        return list(image, listener, true);
    }

    private static List<ListedNode> list(ClusterImage image, String listener, boolean fencedToo) {
        var listed = new ArrayList<ListedNode>();
        for (var role : List.of(Role.BROKER, Role.COORDINATOR)) {
            for (var node : image.nodes().of(role)) {
                if (fencedToo || isThere(node)) {
                    node.endpoint(listener).ifPresent(endpoint -> listed.add(of(node, endpoint)));
                }
            }
        }
        return listed;
    }

    /// That broker, where it is there for clients of `listener`.
    static Optional<ListedNode> broker(ClusterImage image, int id, String listener) {
        return image.broker(id).filter(ListedNode::isThere)
                .flatMap(node -> node.endpoint(listener).map(endpoint -> of(node, endpoint)));
    }

    /// That coordinator, where it is there for clients of `listener`.
    static Optional<ListedNode> coordinator(ClusterImage image, int id, String listener) {
        return image.coordinator(id).filter(ListedNode::isThere)
                .flatMap(node -> node.endpoint(listener).map(endpoint -> of(node, endpoint)));
    }

    /// Whether that broker serves anybody.
    static boolean isLive(ClusterImage image, int broker) {
        return image.broker(broker).filter(ListedNode::isThere).isPresent();
    }

    /// What clients are told as the controller: the first active broker of those listed; -1 where there is none. What
    /// they send to it is forwarded.
    static int controllerId(ClusterImage image, String listener) {
        return image.liveBrokers().stream().filter(broker -> broker.endpoint(listener).isPresent())
                .mapToInt(NodeImage::id).findFirst().orElse(-1);
    }

    private static boolean isThere(NodeImage node) {
        return node.state() != NodeState.FENCED;
    }

    private static ListedNode of(NodeImage node, Endpoint endpoint) {
        return new ListedNode(node.id(), endpoint.host(), endpoint.port(), node.rack(), !isThere(node));
    }
}
