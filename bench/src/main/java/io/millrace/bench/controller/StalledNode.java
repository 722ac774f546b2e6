package io.millrace.bench.controller;

import java.time.Duration;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.metadata.zookeeper.ZooKeeperConfig;

/// A process with one node, made to be stopped by a signal: its kernel takes what fits into the buffers of its connection, and
/// nobody reads it.
final class StalledNode {
    private StalledNode() {}

    /// Says so once its node has seen an image, and ends with its standard input.
    ///
    /// @param arguments address of ZooKeeper, id of the node
    public static void main(String[] arguments) throws Exception {
        try (var znodes = Znodes.connect(new ZooKeeperConfig(arguments[0], Duration.ofSeconds(30), Duration.ofMinutes(
                1)), new SimpleMeterRegistry()); var nodes = new Nodes(znodes)) {
            var node = nodes.add(Integer.parseInt(arguments[1]));
            ControllerBench.await("an image", () -> node.topics() > 0);
            System.out.println("ready");
            while (System.in.read() >= 0) {
                // Until whoever started it is gone.
            }
        }
        System.exit(0);
    }
}
