package io.millrace.controller.core;

import io.millrace.metadata.image.NodeKey;
import org.jspecify.annotations.Nullable;

/// What happens to the active controller besides what it reads from ZooKeeper and what it is asked by commands.
public sealed interface ControllerEvent {

    /// A node's stream is up and its first image applied.
    ///
    /// @param nodeEpoch czxid of the registration it spoke for
    /// @param http root of its actuator and REST; null where it has none
    /// @param softwareVersion what it runs
    record StreamUp(NodeKey node, long nodeEpoch, @Nullable String http, String softwareVersion)
            implements
                ControllerEvent {}

    /// A node's stream was lost. It may come back within its grace.
    record StreamDown(NodeKey node, long nodeEpoch) implements ControllerEvent {}

    /// A node's grace is over, or it was seen to be dead: without a stream it is fenced.
    record GraceOver(NodeKey node, long nodeEpoch) implements ControllerEvent {}
}
