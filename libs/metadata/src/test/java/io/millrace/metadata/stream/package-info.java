@NullMarked
package io.millrace.metadata.stream;

import org.jspecify.annotations.NullMarked;
