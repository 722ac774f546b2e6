/// ZooKeeper as the rest sees it: asynchronous reads and writes, guarded multis, ephemeral nodes, watches that come back
/// after a lost connection, and the state of the session. The only code that knows Curator.
///
/// What is asked for may be asked for on any thread; futures complete on ZooKeeper's event thread, on which nobody may
/// block; watches and session states arrive on the loop that asked for them.
@NullMarked
package io.millrace.metadata.zookeeper;

import org.jspecify.annotations.NullMarked;
