package io.millrace.metadata.stream;

import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.record.Delta;
import io.millrace.metadata.record.Snapshot;

/// What is said on a metadata stream.
sealed interface StreamMessage {

    /// Up, first: who this is and what it has.
    record Greeting(Hello hello) implements StreamMessage {}

    /// Up: this version was taken over.
    record Applied(MetadataVersion version) implements StreamMessage {}

    /// Both ways, each second, so that a dead peer is noticed.
    ///
    /// @param version down: sent last; up: applied last
    record Heartbeat(MetadataVersion version) implements StreamMessage {}

    /// Down: everything.
    record Whole(Snapshot snapshot) implements StreamMessage {}

    /// Down: what changed.
    record Change(Delta delta) implements StreamMessage {}
}
