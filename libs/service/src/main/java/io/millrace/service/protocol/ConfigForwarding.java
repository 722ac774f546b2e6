package io.millrace.service.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.ConfigOutcome;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.service.protocol.ConfigChanges.Asked;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Judges and forwards changes of settings, whichever of the two APIs they came by. A bad resource does not harm its
/// neighbours.
final class ConfigForwarding {
    /// Neither API has a timeout of its own; clients wait for 30 seconds by default.
    private static final long TIMEOUT_MILLIS = 25_000;

    private final Forwarding forwarding;
    private final Supplier<ClusterImage> images;
    private final int self;

    /// @param type Kafka's number of the resource's type
    record AskedResource(byte type, String name, List<Asked> changes) {}

    /// What is told of a resource.
    ///
    /// @param message null where there is nothing to say
    record Told(byte type, String name, Errors error, @Nullable String message) {}

    /// @param self this node, the only one whose settings it changes
    ConfigForwarding(Forwarding forwarding, Supplier<ClusterImage> images, int self) {
        this.forwarding = forwarding;
        this.images = images;
        this.self = self;
    }

    /// @param replaceAll what no change names is reset (AlterConfigs)
    /// @return what to tell of each resource, in their order
    CompletableFuture<List<Told>> alter(List<AskedResource> asked, boolean validateOnly, boolean replaceAll) {
        var image = images.get();
        var refused = new HashMap<AskedResource, Told>();
        var forwarded = new HashMap<AskedResource, ConfigResource>();
        var alterations = new ArrayList<ConfigAlteration>();
        var times = new HashMap<List<Object>, Integer>();
        asked.forEach(resource -> times.merge(List.of(resource.type(), resource.name()), 1, Integer::sum));
        for (var resource : asked) {
            try {
                if (times.getOrDefault(List.of(resource.type(), resource.name()), 1) > 1) {
                    throw new Refused(Errors.INVALID_REQUEST, "Each resource must appear at most once.");
                }
                var alteration = ConfigChanges.of(resource.type(), resource.name(), resource.changes(), image, self);
                alterations.add(alteration);
                forwarded.put(resource, alteration.resource());
            } catch (Refused refusal) {
                refused.put(resource,
                        new Told(resource.type(), resource.name(), refusal.error(), refusal.getMessage()));
            }
        }
        if (alterations.isEmpty()) {
            return CompletableFuture.completedFuture(told(asked, refused, Map.of(), Map.of()));
        }
        return forwarding.send(new AlterConfigs(alterations, validateOnly, replaceAll), TIMEOUT_MILLIS)
                .thenApply(result -> {
                    var outcomes = new HashMap<ConfigResource, ConfigOutcome>();
                    result.resources().forEach(outcome -> outcomes.put(outcome.resource(), outcome));
                    return told(asked, refused, forwarded, outcomes);
                });
    }

    private static List<Told> told(List<AskedResource> asked, Map<AskedResource, Told> refused,
            Map<AskedResource, ConfigResource> forwarded, Map<ConfigResource, ConfigOutcome> outcomes) {
        return asked.stream().map(resource -> {
            var refusal = refused.get(resource);
            return refusal != null ? refusal : told(resource, outcomes.get(forwarded.get(resource)));
        }).toList();
    }

    private static Told told(AskedResource resource, @Nullable ConfigOutcome outcome) {
        return outcome == null
                ? new Told(resource.type(), resource.name(), Errors.UNKNOWN_SERVER_ERROR, null)
                : new Told(resource.type(), resource.name(), Errors.forCode(outcome.errorCode()), outcome.message());
    }
}
