/// Processes of a cluster on this machine and the folder that remembers them. A process is known by its pid, its start
/// time and the boot of the machine together, so that a pid that was given to somebody else is never signalled.
@NullMarked
package io.millrace.standalone.process;

import org.jspecify.annotations.NullMarked;
