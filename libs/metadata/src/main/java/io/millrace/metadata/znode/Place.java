package io.millrace.metadata.znode;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardKind;

/// What a path is the place of: the way back from [Paths], for what a watch tells.
public sealed interface Place {

    /// `/controller`
    record Controller() implements Place {}

    /// `/controller_epoch`
    record ControllerEpoch() implements Place {}

    /// A node's registration.
    record Node(NodeKey node) implements Place {}

    /// `/brokers/topics/<name>`
    record Topic(String name) implements Place {}

    /// `/brokers/topics/<topic>/partitions/<partition>/state`
    record PartitionState(String topic, int partition) implements Place {}

    /// `/admin/delete_topics/<topic>`
    record TopicToDelete(String topic) implements Place {}

    /// `/admin/reassign_partitions`
    record ReassignPartitions() implements Place {}

    /// `/admin/preferred_replica_election`
    record PreferredElection() implements Place {}

    /// The dynamic configuration of a resource.
    record Config(ConfigResource resource) implements Place {}

    /// `/config/changes/config_change_<sequence>`
    record ConfigChanged(String name) implements Place {}

    /// `/services/shards/group`, `/services/shards/transaction`
    record Shards(ShardKind kind) implements Place {}

    /// Anything else, folders included.
    record Elsewhere() implements Place {}

    /// The place of `path`, which is below the chroot.
    static Place of(String path) {
        var parts = List.of(path.split("/", -1));
        return switch (parts.size()) {
            case 2 -> top(path);
            case 3 -> admin(path);
            case 4 -> child(parts.get(1) + "/" + parts.get(2), parts.get(3));
            case 6 -> config(path);
            case 7 -> partitionState(parts);
            default -> new Elsewhere();
        };
    }

    private static Place top(String path) {
        return switch (path) {
            case Paths.CONTROLLER -> new Controller();
            case Paths.CONTROLLER_EPOCH -> new ControllerEpoch();
            default -> new Elsewhere();
        };
    }

    private static Place admin(String path) {
        return switch (path) {
            case Paths.REASSIGN_PARTITIONS -> new ReassignPartitions();
            case Paths.PREFERRED_ELECTION -> new PreferredElection();
            default -> new Elsewhere();
        };
    }

    private static Place child(String folder, String name) {
        return switch (folder) {
            case "brokers/ids" -> node(Role.BROKER, name);
            case "services/controller" -> node(Role.CONTROLLER, name);
            case "services/coordinator" -> node(Role.COORDINATOR, name);
            case "services/admin" -> node(Role.ADMIN, name);
            case "services/shards" -> shards("/" + folder + "/" + name);
            case "brokers/topics" -> new Topic(name);
            case "admin/delete_topics" -> new TopicToDelete(name);
            case "config/changes" -> new ConfigChanged(name);
            default -> config("/" + folder + "/" + name);
        };
    }

    private static Place shards(String path) {
        return Arrays.stream(ShardKind.values()).filter(kind -> Paths.shards(kind).equals(path)).findFirst()
                .<Place>map(Shards::new).orElseGet(Elsewhere::new);
    }

    private static Place partitionState(List<String> parts) {
        var partition = number(parts.get(5));
        var topic = parts.get(3);
        return partition.isPresent() && String.join("/", parts)
                .equals(Paths.partitionState(topic, partition.getAsInt()))
                        ? new PartitionState(topic, partition.getAsInt())
                        : new Elsewhere();
    }

    private static Place config(String path) {
        var folder = Paths.CONFIG + "/";
        Optional<ConfigResource> resource = path.startsWith(folder)
                ? ConfigPaths.parse(path.substring(folder.length()))
                : Optional.empty();
        return resource.<Place>map(Config::new).orElseGet(Elsewhere::new);
    }

    private static Place node(Role role, String id) {
        var number = number(id);
        return number.isEmpty() ? new Elsewhere() : new Node(new NodeKey(role, number.getAsInt()));
    }

    private static OptionalInt number(String text) {
        try {
            int number = Integer.parseInt(text);
            return number < 0 ? OptionalInt.empty() : OptionalInt.of(number);
        } catch (NumberFormatException _) {
            return OptionalInt.empty();
        }
    }
}
