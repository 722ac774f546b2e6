@NullMarked
package io.millrace.coordinator.offsets;

import org.jspecify.annotations.NullMarked;
