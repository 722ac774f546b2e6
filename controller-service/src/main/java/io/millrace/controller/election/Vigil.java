package io.millrace.controller.election;

import java.util.function.Consumer;

import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.zookeeper.Watch;

/// Watches over the active controller.
@FunctionalInterface
public interface Vigil {

    /// What is seen of it.
    enum Sign {
        /// It lives; told once.
        ALIVE,
        /// The connection broke, or it is not active. The last of its signs.
        BROKEN,
        /// The connection stands, and nothing comes. The last of its signs.
        SILENT
    }

    /// Begins to watch the controller at `address`, until one of the last signs or the watch is closed.
    ///
    /// @param signs told on any thread
    Watch keep(ControllerAddress address, Consumer<Sign> signs);
}
