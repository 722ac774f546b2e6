@NullMarked
package io.millrace.coordinator.shard;

import org.jspecify.annotations.NullMarked;
