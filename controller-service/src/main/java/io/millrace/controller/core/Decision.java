package io.millrace.controller.core;

import java.util.List;

import io.millrace.metadata.record.MetadataRecord;
import org.slf4j.event.Level;

/// What follows from an event: `writes` first, in their order; then `records` are published; then `next` is the state.
/// Nothing of it holds unless all writes succeed.
///
/// @param next the state with the records already replayed, under the version before them
/// @param notes what people should read of it in the log, once it holds
public record Decision(ControllerState next, List<StoreWrite> writes, List<MetadataRecord> records, List<Note> notes) {
    public Decision {
        writes = List.copyOf(writes);
        records = List.copyOf(records);
        notes = List.copyOf(notes);
    }

    /// One line of the log.
    public record Note(Level level, String line) {}
}
