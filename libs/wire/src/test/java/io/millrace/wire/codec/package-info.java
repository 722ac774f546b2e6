@NullMarked
package io.millrace.wire.codec;

import org.jspecify.annotations.NullMarked;
