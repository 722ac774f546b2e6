@NullMarked
package io.millrace.log;

import org.jspecify.annotations.NullMarked;
