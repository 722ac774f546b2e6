/// The order in which a service starts, drains and stops, and what it tells about its state: readiness and liveness by
/// actuator, its version, one line where a start is refused.
@NullMarked
package io.millrace.service.lifecycle;

import org.jspecify.annotations.NullMarked;
