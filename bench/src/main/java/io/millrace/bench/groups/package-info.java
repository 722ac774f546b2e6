/// Measures consumer groups: see `bench/groups`.
@NullMarked
package io.millrace.bench.groups;

import org.jspecify.annotations.NullMarked;
