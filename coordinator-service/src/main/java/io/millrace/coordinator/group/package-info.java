/// What group protocols share: names of states, limits, who a member is. Pure.
@NullMarked
package io.millrace.coordinator.group;

import org.jspecify.annotations.NullMarked;
