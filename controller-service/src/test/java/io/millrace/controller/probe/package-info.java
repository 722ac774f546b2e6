@NullMarked
package io.millrace.controller.probe;

import org.jspecify.annotations.NullMarked;
