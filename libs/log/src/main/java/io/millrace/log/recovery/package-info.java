/// What is kept of a log when it is opened: which files, from where they are scanned, and where the log is cut.
@NullMarked
package io.millrace.log.recovery;

import org.jspecify.annotations.NullMarked;
