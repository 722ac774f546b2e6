@NullMarked
package io.millrace.coordinator.handover;
import org.jspecify.annotations.NullMarked;
