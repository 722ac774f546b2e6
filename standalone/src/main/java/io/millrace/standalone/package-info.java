/// All roles and an embedded ZooKeeper in one process: sibling Spring contexts, each with the properties of its role.
@NullMarked
package io.millrace.standalone;

import org.jspecify.annotations.NullMarked;
