@NullMarked
package io.millrace.admin.exchange;

import org.jspecify.annotations.NullMarked;
