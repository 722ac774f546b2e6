/// What is remembered of each producer: its last batches, so that a repeated one is known and a missing one is missed, and
/// its open transaction. Pure but for its snapshot file.
@NullMarked
package io.millrace.log.producer;

import org.jspecify.annotations.NullMarked;
