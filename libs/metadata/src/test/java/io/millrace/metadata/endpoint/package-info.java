@NullMarked
package io.millrace.metadata.endpoint;

import org.jspecify.annotations.NullMarked;
