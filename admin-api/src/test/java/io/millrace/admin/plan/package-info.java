@NullMarked
package io.millrace.admin.plan;

import org.jspecify.annotations.NullMarked;
