@NullMarked
package io.millrace.coordinator;

import org.jspecify.annotations.NullMarked;
