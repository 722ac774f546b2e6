@NullMarked
package io.millrace.standalone.launcher;

import org.jspecify.annotations.NullMarked;
