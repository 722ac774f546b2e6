@NullMarked
package io.millrace.log.batch;

import org.jspecify.annotations.NullMarked;
