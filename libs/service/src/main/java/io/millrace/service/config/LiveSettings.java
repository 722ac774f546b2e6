package io.millrace.service.config;

import java.util.Map;
import java.util.function.Supplier;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;

/// The settings of one node as they hold now: what was set for it while it ran, else what was set for all nodes, else what
/// it was started with. Thread-safe; asking is cheap.
public final class LiveSettings implements Supplier<ServerSettings> {
    private final int node;
    private final Supplier<ClusterImage> images;
    private final ServerSettings start;
    private volatile Held held;

    /// What was set, and what holds by it.
    private record Held(Map<String, String> ofNode, Map<String, String> ofAll, ServerSettings settings) {}

    /// @param node its id
    /// @param images the newest image
    /// @param start what the node was started with
    public LiveSettings(int node, Supplier<ClusterImage> images, ServerSettings start) {
        this.node = node;
        this.images = images;
        this.start = start;
        held = new Held(Map.of(), Map.of(), start);
    }

    /// What holds for a node by one image.
    public static ServerSettings of(int node, ClusterImage image, ServerSettings start) {
        return start.changed(image.configs().of(ConfigResource.allBrokers()), image.configs().of(ConfigResource.broker(
                node)));
    }

    /// Whether a change of that resource may change what holds here.
    public boolean dependsOn(ConfigResource resource) {
        return resource.equals(ConfigResource.broker(node)) || resource.equals(ConfigResource.allBrokers());
    }

    /// As they hold now; the same object until something is set or reset. A value that an old tool wrote past all checks
    /// and that cannot be read counts as not set.
    @Override
    public ServerSettings get() {
        var configs = images.get().configs();
        var ofNode = configs.of(ConfigResource.broker(node));
        var ofAll = configs.of(ConfigResource.allBrokers());
        var now = held;
        if (!now.ofNode.equals(ofNode) || !now.ofAll.equals(ofAll)) {
            now = new Held(ofNode, ofAll, start.changed(ofAll, ofNode));
            held = now;
        }
        return now.settings;
    }
}
