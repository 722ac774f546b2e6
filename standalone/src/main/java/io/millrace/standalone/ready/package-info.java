/// Whether a started cluster is ready: asked from outside, over the protocols that clients use. Blocking; called by the
/// launcher's one thread.
@NullMarked
package io.millrace.standalone.ready;

import org.jspecify.annotations.NullMarked;
