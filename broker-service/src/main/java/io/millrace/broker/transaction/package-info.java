/// What brokers do for transactions besides storing them: they ask coordinators whether a partition is in one (KIP-890), write
/// the markers that end them, and tell who writes here. On the connections' event loops.
@NullMarked
package io.millrace.broker.transaction;

import org.jspecify.annotations.NullMarked;
