@NullMarked
package io.millrace.log.epoch;

import org.jspecify.annotations.NullMarked;
