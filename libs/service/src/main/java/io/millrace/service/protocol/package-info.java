/// Kafka APIs that a client may send to any node, so that brokers and coordinators serve them alike: answered from this
/// node's image of the cluster, or forwarded to the active controller as commands.
///
/// Handlers run on the connection's event loop and never block; they keep no state but what is in flight.
@NullMarked
package io.millrace.service.protocol;

import org.jspecify.annotations.NullMarked;
