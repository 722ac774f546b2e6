/// Elections of leaders.
@NullMarked
package io.millrace.admin.leader;

import org.jspecify.annotations.NullMarked;
