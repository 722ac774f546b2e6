/// Asks nodes themselves whether they live. Blocking I/O on threads of its own; answers complete on those.
@NullMarked
package io.millrace.controller.probe;

import org.jspecify.annotations.NullMarked;
