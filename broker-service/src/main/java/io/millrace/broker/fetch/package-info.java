/// Fetch: reading partitions, waiting until there is enough to read, and the sessions that keep what a client polls.
///
/// A fetch is decided on its connection's event loop and never blocks. Sessions are shared between connections and are
/// guarded by their own locks; a waiting fetch is woken from the thread that moved a partition on, by a task on its loop.
@NullMarked
package io.millrace.broker.fetch;

import org.jspecify.annotations.NullMarked;
