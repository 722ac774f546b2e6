/// ZooKeeper inside a process of ours: one server, persistent, on loopback.
@NullMarked
package io.millrace.standalone.zookeeper;

import org.jspecify.annotations.NullMarked;
