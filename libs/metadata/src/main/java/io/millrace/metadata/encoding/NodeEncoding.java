package io.millrace.metadata.encoding;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.record.MetadataRecord.NodePut;
import org.jspecify.annotations.Nullable;

/// A node as a message.
final class NodeEncoding {
    private NodeEncoding() {}

    static Consumer<Writer> node(NodeImage node) {
        return out -> {
            out.oneOf(1, Numbers.ROLES, node.role()).signed(2, node.id()).number(3, node.epoch());
            node.endpoints().forEach(endpoint -> out.nested(4, in -> in.text(1, endpoint.listener())
                    .text(2, endpoint.securityProtocol())
                    .text(3, endpoint.host())
                    .number(4, endpoint.port())));
            out.text(5, node.rack())
                    .text(6, node.http())
                    .text(7, node.softwareVersion())
                    .oneOf(8, Numbers.STATES, node.state());
            node.failedReplicas().forEach((topic, partitions) -> out.nested(9, in -> in.id(1, topic)
                    .packed(2, List.copyOf(partitions))));
        };
    }

    /// Null where it has a role that a later version added. A state that is unknown here is taken for the one in which a
    /// node leads nothing.
    static @Nullable NodePut node(Reader in) {
        Role role = null;
        int id = 0;
        long epoch = 0;
        var endpoints = new ArrayList<Endpoint>();
        String rack = null;
        String http = null;
        var softwareVersion = "";
        NodeState state = null;
        var failed = new HashMap<UUID, Set<Integer>>();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> role = in.oneOf(Numbers.ROLES);
                case 2 -> id = in.signed();
                case 3 -> epoch = in.longNumber();
                case 4 -> endpoints.add(in.nested(NodeEncoding::endpoint));
                case 5 -> rack = in.text();
                case 6 -> http = in.text();
                case 7 -> softwareVersion = in.text();
                case 8 -> state = in.oneOf(Numbers.STATES);
                case 9 -> in.nested(replicas -> failed(replicas, failed));
                default -> in.skip();
            }
        }
        return role == null
                ? null
                : new NodePut(new NodeImage(role, id, epoch, endpoints, rack, http, softwareVersion, state == null
                        ? NodeState.FENCED
                        : state, failed));
    }

    private static Map<UUID, Set<Integer>> failed(Reader in, Map<UUID, Set<Integer>> into) {
        UUID topic = null;
        List<Integer> partitions = List.of();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> topic = in.id();
                case 2 -> partitions = in.packed();
                default -> in.skip();
            }
        }
        into.put(RecordEncoding.required(topic, "topic id"), Set.copyOf(partitions));
        return into;
    }

    private static Endpoint endpoint(Reader in) {
        var listener = "";
        var protocol = "";
        var host = "";
        int port = 0;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> listener = in.text();
                case 2 -> protocol = in.text();
                case 3 -> host = in.text();
                case 4 -> port = in.number();
                default -> in.skip();
            }
        }
        return new Endpoint(listener, protocol, host, port);
    }
}
