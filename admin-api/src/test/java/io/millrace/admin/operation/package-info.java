@NullMarked
package io.millrace.admin.operation;

import org.jspecify.annotations.NullMarked;
