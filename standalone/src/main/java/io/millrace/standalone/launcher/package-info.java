/// The commands of `bin/millrace`: parse, plan, start, look, stop. One thread, blocking; a failure is one line and an exit
/// code.
@NullMarked
package io.millrace.standalone.launcher;

import org.jspecify.annotations.NullMarked;
