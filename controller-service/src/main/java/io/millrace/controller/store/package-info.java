/// The durable state in ZooKeeper: decisions to guarded multis, watches to hints, hints to observations. Called on the
/// controller's loop; what it reads is put together on ZooKeeper's event thread, where nothing blocks.
@NullMarked
package io.millrace.controller.store;

import org.jspecify.annotations.NullMarked;
