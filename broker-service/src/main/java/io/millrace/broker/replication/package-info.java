/// The follower's side of replication: who is followed, by which fetcher, and what becomes of each answer; and the rates to
/// which replication can be held down, at both ends.
///
/// A fetcher belongs to one event loop, on which its connection lives and its answers are appended; truncations run on the
/// disks' threads. Who follows whom is decided on the thread that applies images.
@NullMarked
package io.millrace.broker.replication;

import org.jspecify.annotations.NullMarked;
