@NullMarked
package io.millrace.log.index;

import org.jspecify.annotations.NullMarked;
