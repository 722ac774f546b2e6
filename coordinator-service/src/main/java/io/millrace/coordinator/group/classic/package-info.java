/// The classic group protocol as a pure machine: [io.millrace.coordinator.group.classic.ClassicMachine] takes a group and
/// an event, and returns the next group and what is to be done. No I/O, no clock, no threads; the shard's loop calls it.
///
/// A group's members live in memory alone, except for one moment: before an assignment is handed out, the whole group
/// is stored, and only when that succeeded does the group become stable. What is loaded later is that stable group, so
/// its members go on without joining again.
@NullMarked
package io.millrace.coordinator.group.classic;

import org.jspecify.annotations.NullMarked;
