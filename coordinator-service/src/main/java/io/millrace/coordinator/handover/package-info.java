/// Shards go from one coordinator to another while both live: whoever is to have them says when it is ready, and whoever
/// stops waits for that.
@NullMarked
package io.millrace.coordinator.handover;

import org.jspecify.annotations.NullMarked;
