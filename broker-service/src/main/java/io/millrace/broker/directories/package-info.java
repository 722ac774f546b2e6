/// The log directories of this broker: opening and recovering what is in them, choosing one for a new log, noticing that
/// one failed, and the work that has to be done on logs now and then. Everything here may block on a disk and runs on
/// threads of its own, never on an event loop.
@NullMarked
package io.millrace.broker.directories;

import org.jspecify.annotations.NullMarked;
