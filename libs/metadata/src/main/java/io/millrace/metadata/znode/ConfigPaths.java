package io.millrace.metadata.znode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Optional;

import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;

/// Resources and their place under `/config`: `topics/T`, `brokers/<default>`, `users/u/clients/c`. Users and clients are
/// URL-encoded there, with `*` and space as `%2A` and `%20`.
final class ConfigPaths {
    private static final String CLIENTS = "/clients/";

    private ConfigPaths() {}

    static String entityPath(ConfigResource resource) {
        return folder(resource.type()) + "/" + switch (resource.type()) {
            case CLIENT -> encode(resource.name());
            case USER -> encodeUser(resource.name());
            case TOPIC, BROKER, IP, CLIENT_METRICS, GROUP -> resource.name();
        };
    }

    /// Empty where it names no resource.
    static Optional<ConfigResource> parse(String entityPath) {
        int slash = entityPath.indexOf('/');
        if (slash <= 0 || slash == entityPath.length() - 1) {
            return Optional.empty();
        }
        var name = entityPath.substring(slash + 1);
        return typeOf(entityPath.substring(0, slash)).flatMap(type -> switch (type) {
            case CLIENT -> decode(name).map(client -> new ConfigResource(type, client));
            case USER -> decodeUser(name);
            case TOPIC, BROKER, IP, CLIENT_METRICS, GROUP -> Optional.of(new ConfigResource(type, name));
        }).filter(resource -> resource.type() == ConfigType.USER || name.indexOf('/') < 0);
    }

    static String folder(ConfigType type) {
        return switch (type) {
            case TOPIC -> "topics";
            case BROKER -> "brokers";
            case CLIENT -> "clients";
            case USER -> "users";
            case IP -> "ips";
            case CLIENT_METRICS -> "client-metrics";
            case GROUP -> "groups";
        };
    }

    private static Optional<ConfigType> typeOf(String folder) {
        for (var type : ConfigType.values()) {
            if (folder(type).equals(folder)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    private static String encodeUser(String name) {
        int clients = name.indexOf(CLIENTS);
        return clients < 0
                ? encode(name)
                : encode(name.substring(0, clients)) + CLIENTS + encode(name.substring(clients + CLIENTS.length()));
    }

    private static Optional<ConfigResource> decodeUser(String name) {
        int clients = name.indexOf(CLIENTS);
        var decoded = clients < 0
                ? decode(name)
                : decode(name.substring(0, clients)).flatMap(user -> decode(name.substring(clients + CLIENTS.length()))
                        .map(client -> user + CLIENTS + client));
        return decoded.map(user -> new ConfigResource(ConfigType.USER, user));
    }

    private static String encode(String name) {
        return name.equals(ConfigResource.DEFAULT)
                ? name
                : URLEncoder.encode(name, UTF_8).replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    }

    private static Optional<String> decode(String name) {
        try {
            return Optional.of(URLDecoder.decode(name, UTF_8));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
