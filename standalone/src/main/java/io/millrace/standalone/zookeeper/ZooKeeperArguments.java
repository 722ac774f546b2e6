package io.millrace.standalone.zookeeper;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;

/// What a ZooKeeper of ours is started with: `address=HOST:PORT` and `data=FOLDER`.
public record ZooKeeperArguments(InetSocketAddress address, Path data) {

    /// @throws IllegalArgumentException naming what is missing, wrong or unknown
    public static ZooKeeperArguments of(Map<String, String> arguments) {
        for (String key : arguments.keySet()) {
            if (!key.equals("address") && !key.equals("data")) {
                throw new IllegalArgumentException("unknown argument for zookeeper: " + key);
            }
        }
        String address = required(arguments, "address");
        int colon = address.lastIndexOf(':');
        try {
            return new ZooKeeperArguments(
                    new InetSocketAddress(address.substring(0, Math.max(0, colon)), Integer.parseInt(
                            address.substring(colon + 1))),
                    Path.of(required(arguments, "data")));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not HOST:PORT: address=" + address, e);
        }
    }

    private static String required(Map<String, String> arguments, String key) {
        String value = arguments.get(key);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("zookeeper needs the argument " + key);
        }
        return value;
    }
}
