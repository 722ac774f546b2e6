/// What the hot paths cost: one class a path, figures in `bench/results`.
@NullMarked
package io.millrace.bench;

import org.jspecify.annotations.NullMarked;
