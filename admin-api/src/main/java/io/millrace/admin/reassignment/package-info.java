/// Moves of partitions: what runs, new ones, and calling them off.
@NullMarked
package io.millrace.admin.reassignment;

import org.jspecify.annotations.NullMarked;
