@NullMarked
package io.millrace.coordinator.lag;

import org.jspecify.annotations.NullMarked;
