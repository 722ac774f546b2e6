/// Kafka's messages to bytes and back, without copying records: on the way in they are slices of the frame, on the way
/// out regions of a file.
@NullMarked
package io.millrace.wire.codec;

import org.jspecify.annotations.NullMarked;
