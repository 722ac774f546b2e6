/// The only way in which an image changes: a sealed hierarchy of records, how they are replayed, and how they are encoded.
/// Pure: no I/O, no clock, any thread.
@NullMarked
package io.millrace.metadata.record;

import org.jspecify.annotations.NullMarked;
