/// The coordinator as a service: its settings, its parts, the order in which they start and stop.
@NullMarked
package io.millrace.coordinator;

import org.jspecify.annotations.NullMarked;
