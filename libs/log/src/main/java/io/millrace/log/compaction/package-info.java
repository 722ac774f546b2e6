/// What a topic asks of log compaction.
@NullMarked
package io.millrace.log.compaction;

import org.jspecify.annotations.NullMarked;
