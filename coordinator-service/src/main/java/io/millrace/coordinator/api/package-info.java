/// The Kafka APIs that coordinators serve, a handler each: from the connection's event loop to the group's shard, and
/// back.
@NullMarked
package io.millrace.coordinator.api;

import org.jspecify.annotations.NullMarked;
