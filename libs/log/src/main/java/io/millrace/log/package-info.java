/// The partition log in Kafka's on-disk format: everything that a broker sees of storage. Appends are serialized by each
/// log's own lock and run on the caller's thread, reads take no lock, and what blocks for long (fsync, deletion) runs on
/// the background that [io.millrace.log.LogRuntime] holds.
@NullMarked
package io.millrace.log;

import org.jspecify.annotations.NullMarked;
