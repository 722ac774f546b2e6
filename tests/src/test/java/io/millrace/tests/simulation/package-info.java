/// Whole clusters in one thread on virtual time: the real decisions of controllers, the real logs, partitions and
/// replication of brokers, over a network, disks and a ZooKeeper that fail as a seed says.
@NullMarked
package io.millrace.tests.simulation;

import org.jspecify.annotations.NullMarked;
