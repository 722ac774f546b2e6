/// Consumer groups: members, assignments and lag, asked of the coordinators.
@NullMarked
package io.millrace.admin.group;

import org.jspecify.annotations.NullMarked;
