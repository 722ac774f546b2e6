@NullMarked
package io.millrace.metadata.image;

import org.jspecify.annotations.NullMarked;
