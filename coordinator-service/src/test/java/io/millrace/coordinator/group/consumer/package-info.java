@NullMarked
package io.millrace.coordinator.group.consumer;

import org.jspecify.annotations.NullMarked;
