/// How far behind each group of this coordinator is, told as metrics: what its shards have committed, and where the leaders
/// say that partitions end. Runs in rounds on one loop; nobody waits for it.
@NullMarked
package io.millrace.coordinator.lag;

import org.jspecify.annotations.NullMarked;
