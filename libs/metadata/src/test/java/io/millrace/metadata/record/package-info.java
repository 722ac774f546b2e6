@NullMarked
package io.millrace.metadata.record;

import org.jspecify.annotations.NullMarked;
