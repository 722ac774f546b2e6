/// What all instances of this service have to see alike, in ZooKeeper: operations, plans, answers that may be asked for again,
/// what configurations were. On the thread of the caller, which waits.
@NullMarked
package io.millrace.admin.document;

import org.jspecify.annotations.NullMarked;
