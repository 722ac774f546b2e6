/// Gaining and losing `/controller`. Runs on the controller's loop.
@NullMarked
package io.millrace.controller.election;

import org.jspecify.annotations.NullMarked;
