/// What the container image runs: a service by its name, the probe of its health, the look-up of the zone.
@NullMarked
package io.millrace.standalone.image;

import org.jspecify.annotations.NullMarked;
