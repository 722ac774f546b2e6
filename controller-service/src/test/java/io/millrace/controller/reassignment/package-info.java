@NullMarked
package io.millrace.controller.reassignment;

import org.jspecify.annotations.NullMarked;
