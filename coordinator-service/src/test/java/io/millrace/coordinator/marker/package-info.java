@NullMarked
package io.millrace.coordinator.marker;

import org.jspecify.annotations.NullMarked;
