@NullMarked
package io.millrace.controller.partition;

import org.jspecify.annotations.NullMarked;
