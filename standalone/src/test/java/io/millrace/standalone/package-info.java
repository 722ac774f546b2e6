@NullMarked
package io.millrace.standalone;

import org.jspecify.annotations.NullMarked;
