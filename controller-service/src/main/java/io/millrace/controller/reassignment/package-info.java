/// How partitions are moved to other brokers (KIP-455): from what was asked for, over the copying, to the switch. Pure: values
/// in, values out, on any thread.
@NullMarked
package io.millrace.controller.reassignment;

import org.jspecify.annotations.NullMarked;
