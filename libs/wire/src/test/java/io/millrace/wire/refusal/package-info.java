@NullMarked
package io.millrace.wire.refusal;

import org.jspecify.annotations.NullMarked;
