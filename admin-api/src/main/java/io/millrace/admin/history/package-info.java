/// What configurations were: each change is written down by whichever instance is first, on a thread of its own, and can be
/// taken back.
@NullMarked
package io.millrace.admin.history;

import org.jspecify.annotations.NullMarked;
