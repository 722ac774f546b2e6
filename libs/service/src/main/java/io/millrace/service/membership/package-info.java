/// A node's ties to the cluster, made and undone together: its session with ZooKeeper, its registration, its stream of
/// metadata and its way to the active controller.
@NullMarked
package io.millrace.service.membership;

import org.jspecify.annotations.NullMarked;
