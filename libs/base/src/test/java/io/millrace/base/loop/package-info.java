@NullMarked
package io.millrace.base.loop;

import org.jspecify.annotations.NullMarked;
