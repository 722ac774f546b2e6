package io.millrace.controller.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.znode.BrokerRegistration;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.Place;
import io.millrace.metadata.znode.ServiceRegistration;
import io.millrace.metadata.zookeeper.Znode;
import io.millrace.metadata.zookeeper.Znodes;

/// Reads the registrations of all roles.
final class NodeReader {
    private static final List<String> FOLDERS = List.of(Paths.BROKERS, Paths.services(Role.CONTROLLER), Paths.services(
            Role.COORDINATOR), Paths.services(Role.ADMIN));

    private final Znodes znodes;
    private final Rubbish rubbish;

    NodeReader(Znodes znodes, Rubbish rubbish) {
        this.znodes = znodes;
        this.rubbish = rubbish;
    }

    /// All nodes whose registration can be read; fenced, since a registration says nothing about that.
    CompletableFuture<List<NodeImage>> read() {
        var paths = CompletableFuture.completedFuture(new ArrayList<String>());
        for (var folder : FOLDERS) {
            paths = paths.thenCombine(znodes.children(folder), (all, names) -> {
                names.forEach(name -> all.add(folder + "/" + name));
                return all;
            });
        }
        return paths.thenCompose(znodes::readAll).thenApply(found -> found.stream().flatMap(Optional::stream).flatMap(
                znode -> node(znode).stream()).toList());
    }

    private Optional<NodeImage> node(Znode znode) {
        if (!(Place.of(znode.path()) instanceof Place.Node(NodeKey key))) {
            rubbish.warn(znode, "its name is no id");
            return Optional.empty();
        }
        return rubbish.read(znode, json -> key.role() == Role.BROKER
                ? BrokerRegistration.parse(json).node(key.id(), znode.czxid(), NodeState.FENCED)
                : ServiceRegistration.parse(json).node(key.role(), znode.czxid(), NodeState.FENCED));
    }
}
