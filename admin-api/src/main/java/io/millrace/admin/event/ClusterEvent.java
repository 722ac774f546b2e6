package io.millrace.admin.event;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/// @param sequence goes up by one an event, as long as this service runs
/// @param type such as `partition.leader`
/// @param topic that it is about; null where it is about none
/// @param at milliseconds since 1970 when this service heard of it
/// @param offset of the metadata that brought it
record ClusterEvent(long sequence, String type, @Nullable String topic, long at, long offset,
        Map<String, Object> resource, @Nullable Object before, @Nullable Object after) {

    /// What differs, before it is numbered.
    record Difference(String type, @Nullable String topic, Map<String, Object> resource, @Nullable Object before,
            @Nullable Object after) {}
}
