@NullMarked
package io.millrace.admin;

import org.jspecify.annotations.NullMarked;
