@NullMarked
package io.millrace.standalone.process;

import org.jspecify.annotations.NullMarked;
