package io.millrace.controller.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.millrace.controller.core.Observation.ConfigSeen;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.znode.ConfigNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.Place;
import io.millrace.metadata.zookeeper.Znode;
import io.millrace.metadata.zookeeper.Znodes;

/// Reads the dynamic configuration.
final class ConfigReader {
    private static final List<String> FOLDERS = Stream.of("topics", "brokers", "clients", "users", "ips",
            "client-metrics", "groups").map(folder -> Paths.CONFIG + "/" + folder).toList();

    private final Znodes znodes;
    private final Rubbish rubbish;

    ConfigReader(Znodes znodes, Rubbish rubbish) {
        this.znodes = znodes;
        this.rubbish = rubbish;
    }

    /// The configuration of all resources that have a node.
    CompletableFuture<Map<ConfigResource, ConfigSeen>> all() {
        return resources().thenCompose(this::of);
    }

    private CompletableFuture<List<ConfigResource>> resources() {
        var found = CompletableFuture.completedFuture(new ArrayList<String>());
        for (var folder : FOLDERS) {
            found = found.thenCombine(znodes.children(folder), (paths, names) -> {
                names.forEach(name -> paths.add(folder + "/" + name));
                return paths;
            });
        }
        return found.thenCompose(this::withClientsOfUsers).thenApply(paths -> paths.stream().flatMap(path -> Place.of(
                path) instanceof Place.Config(ConfigResource resource) ? Stream.of(resource) : Stream.empty())
                .toList());
    }

    private CompletableFuture<List<String>> withClientsOfUsers(List<String> paths) {
        var found = CompletableFuture.completedFuture(paths);
        for (var path : List.copyOf(paths)) {
            if (path.startsWith(Paths.CONFIG + "/users/")) {
                var clients = path + "/clients";
                found = found.thenCombine(znodes.children(clients), (all, names) -> {
                    names.forEach(name -> all.add(clients + "/" + name));
                    return all;
                });
            }
        }
        return found;
    }

    /// The configuration of those resources.
    CompletableFuture<Map<ConfigResource, ConfigSeen>> of(List<ConfigResource> resources) {
        return znodes.readAll(resources.stream().map(Paths::config).toList()).thenApply(found -> {
            var seen = new HashMap<ConfigResource, ConfigSeen>();
            for (int index = 0; index < resources.size(); index++) {
                seen.put(resources.get(index), found.get(index).map(this::config).orElseGet(ConfigSeen.Absent::new));
            }
            return seen;
        });
    }

    private ConfigSeen config(Znode znode) {
        return rubbish.read(znode, ConfigNode::parse)
                .<ConfigSeen>map(node -> new ConfigSeen.Present(new TreeMap<>(node.values()), znode.version()))
                .orElseGet(() -> new ConfigSeen.Unreadable(znode.version()));
    }
}
