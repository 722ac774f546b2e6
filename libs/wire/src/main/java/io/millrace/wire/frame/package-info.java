/// Length-prefixed frames out of a stream of bytes, with bounds on their size and on the memory that frames being
/// received hold; and the header at the start of each request. Runs on the connection's event loop.
@NullMarked
package io.millrace.wire.frame;

import org.jspecify.annotations.NullMarked;
