@NullMarked
package io.millrace.log.retention;

import org.jspecify.annotations.NullMarked;
