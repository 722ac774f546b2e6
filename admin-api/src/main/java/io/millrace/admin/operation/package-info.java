/// Long work: moves of many partitions, as one thing that is seen, slowed, paused and called off. All there is to know of it
/// is in ZooKeeper, so that any instance of this service goes on with it, and none of them has to stay alive.
@NullMarked
package io.millrace.admin.operation;

import org.jspecify.annotations.NullMarked;
