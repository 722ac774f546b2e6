@NullMarked
package io.millrace.standalone.ready;

import org.jspecify.annotations.NullMarked;
