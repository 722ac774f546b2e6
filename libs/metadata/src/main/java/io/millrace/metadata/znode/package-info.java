/// Paths and contents of the znodes, both ways. Kafka's own are byte-compatible with what Kafka 2.6 to 3.9 write and read;
/// keys that are unknown here are kept when a node is written again. Pure: no I/O, any thread.
@NullMarked
package io.millrace.metadata.znode;

import org.jspecify.annotations.NullMarked;
