/// Records of topics: browsed and followed without any group, written, and deleted from the front.
@NullMarked
package io.millrace.admin.record;

import org.jspecify.annotations.NullMarked;
