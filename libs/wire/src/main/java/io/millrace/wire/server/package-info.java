/// Listeners for the Kafka protocol: binding, sockets, and how many connections there may be.
@NullMarked
package io.millrace.wire.server;

import org.jspecify.annotations.NullMarked;
