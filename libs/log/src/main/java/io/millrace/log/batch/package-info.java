/// A view on a v2 record batch: its header, CRC, the checks on what producers send, and the fields that a leader assigns in
/// place. Pure: bytes in, bytes and refusals out.
@NullMarked
package io.millrace.log.batch;

import org.jspecify.annotations.NullMarked;
