/// One segment's files: append, read, lookups, truncation, recovery scan, and the count of those who still read them.
@NullMarked
package io.millrace.log.segment;

import org.jspecify.annotations.NullMarked;
