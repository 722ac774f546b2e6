@NullMarked
package io.millrace.standalone.plan;

import org.jspecify.annotations.NullMarked;
