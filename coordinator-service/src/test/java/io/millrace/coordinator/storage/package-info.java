@NullMarked
package io.millrace.coordinator.storage;

import org.jspecify.annotations.NullMarked;
