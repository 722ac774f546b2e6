/// What the cluster looks like at one version: nodes, topics, configurations, shards. Immutable values that share their
/// structure with the versions before and after, so that a reader keeps one for as long as it likes, on any thread.
@NullMarked
package io.millrace.metadata.image;

import org.jspecify.annotations.NullMarked;
