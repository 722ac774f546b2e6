/// Where partitions should be: plans for moves, made of what brokers hold now. Nothing is moved here.
@NullMarked
package io.millrace.admin.plan;

import org.jspecify.annotations.NullMarked;
