@NullMarked
package io.millrace.log.compaction;

import org.jspecify.annotations.NullMarked;
