@NullMarked
package io.millrace.coordinator.record;

import org.jspecify.annotations.NullMarked;
