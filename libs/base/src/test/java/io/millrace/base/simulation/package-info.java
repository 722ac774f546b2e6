/// Twins of the loop and its time on which nothing happens unless a test says so.
@NullMarked
package io.millrace.base.simulation;

import org.jspecify.annotations.NullMarked;
