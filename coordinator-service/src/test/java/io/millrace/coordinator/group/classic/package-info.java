@NullMarked
package io.millrace.coordinator.group.classic;

import org.jspecify.annotations.NullMarked;
