/// This process as a Kafka client of other nodes: one connection a node, requests pipelined in order.
@NullMarked
package io.millrace.wire.client;

import org.jspecify.annotations.NullMarked;
