package io.millrace.metadata.stream;

import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.Role;

import org.jspecify.annotations.Nullable;

/// What a node says first on its stream.
///
/// @param nodeEpoch czxid of its registration; 0 where it has none
/// @param last the version of the image that it has; [MetadataVersion#NONE] asks for a snapshot
/// @param http root of its actuator and REST; null where it has none
/// @param softwareVersion what it runs; empty where it does not say
public record Hello(Role role, int id, long nodeEpoch, MetadataVersion last, @Nullable String http,
        String softwareVersion) {
    /// The same node with another version of the image.
    public Hello at(MetadataVersion version) {
        return new Hello(role, id, nodeEpoch, version, http, softwareVersion);
    }
}
