/// Topics: list, create, describe, grow, delete.
@NullMarked
package io.millrace.admin.topic;

import org.jspecify.annotations.NullMarked;
