@NullMarked
package io.millrace.metadata.encoding;

import org.jspecify.annotations.NullMarked;
