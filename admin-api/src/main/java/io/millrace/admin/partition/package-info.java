/// Partitions, their replicas and their offsets.
@NullMarked
package io.millrace.admin.partition;

import org.jspecify.annotations.NullMarked;
