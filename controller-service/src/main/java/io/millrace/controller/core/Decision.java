package io.millrace.controller.core;

import java.util.List;

import io.millrace.metadata.record.MetadataRecord;

/// What follows from an event: `writes` first, in their order; then `records` are published; then `next` is the state.
/// Nothing of it holds unless all writes succeed.
///
/// @param next the state with the records already replayed, under the version before them
public record Decision(ControllerState next, List<StoreWrite> writes, List<MetadataRecord> records) {
    public Decision {
        writes = List.copyOf(writes);
        records = List.copyOf(records);
    }
}
