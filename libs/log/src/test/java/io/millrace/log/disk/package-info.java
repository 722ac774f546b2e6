@NullMarked
package io.millrace.log.disk;

import org.jspecify.annotations.NullMarked;
