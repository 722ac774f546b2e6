package io.millrace.metadata.record;

import java.util.List;

import io.millrace.base.check.Check;
import io.millrace.metadata.image.MetadataVersion;

/// What leads from one version to the next. Applied as a whole or not at all.
///
/// @param from the only version it can be applied to
/// @param to the version after it
/// @param records in the order in which they are replayed
public record Delta(MetadataVersion from, MetadataVersion to, List<MetadataRecord> records) {
    public Delta {
        Check.argument(to.compareTo(from) > 0, "delta from %s back to %s", from, to);
        records = List.copyOf(records);
    }
}
