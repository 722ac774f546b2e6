/// What a cluster on this machine consists of: roles, numbers, ports, and the command line of each process. Pure: nothing
/// here starts, reads or binds anything.
@NullMarked
package io.millrace.standalone.plan;

import org.jspecify.annotations.NullMarked;
