/// Which segments may go, by time, size and log start offset. Pure: the log executes it.
@NullMarked
package io.millrace.log.retention;

import org.jspecify.annotations.NullMarked;
