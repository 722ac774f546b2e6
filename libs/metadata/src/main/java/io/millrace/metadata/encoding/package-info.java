/// Snapshots and deltas as protocol buffers, by the contract in `millrace-metadata.proto`. Written by hand, so that the
/// records stay what the rest of the code works with and no generated twin of each is needed. Fields and records that are
/// unknown are skipped, so that a newer controller can serve older nodes.
@NullMarked
package io.millrace.metadata.encoding;

import org.jspecify.annotations.NullMarked;
