@NullMarked
package io.millrace.coordinator.api;

import org.jspecify.annotations.NullMarked;
