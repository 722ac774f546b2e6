@NullMarked
package io.millrace.coordinator.transaction;

import org.jspecify.annotations.NullMarked;
