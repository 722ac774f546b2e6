@NullMarked
package io.millrace.wire.frame;

import org.jspecify.annotations.NullMarked;
