@NullMarked
package io.millrace.wire.error;

import org.jspecify.annotations.NullMarked;
