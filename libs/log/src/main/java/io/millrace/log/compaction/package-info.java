/// Log compaction as Kafka documents it: of each key the last record stays, offsets never change. [LogCleaner] picks the
/// dirtiest log, [Cleaner] reads its dirty part into an [OffsetMap] and writes its segments anew beside the old ones, and the
/// log puts them in their place. Runs on the cleaner's threads; what is decided about which part of a log is cleaned is pure.
@NullMarked
package io.millrace.log.compaction;

import org.jspecify.annotations.NullMarked;
