/// The partitions that live on this broker: what it is for each of them, their logs, and how far readers may read.
///
/// Roles are decided from the metadata image on one thread at a time and read by all event loops as immutable snapshots.
/// Appends run on the event loop of the producer's connection, in order through the log's own lock.
@NullMarked
package io.millrace.broker.partition;

import org.jspecify.annotations.NullMarked;
