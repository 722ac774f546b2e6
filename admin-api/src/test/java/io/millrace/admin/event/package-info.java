@NullMarked
package io.millrace.admin.event;

import org.jspecify.annotations.NullMarked;
