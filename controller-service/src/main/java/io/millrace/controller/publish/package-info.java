/// Who follows the metadata stream, what each has applied, and who waits for that. Confined to the controller's loop.
@NullMarked
package io.millrace.controller.publish;

import org.jspecify.annotations.NullMarked;
