@NullMarked
package io.millrace.service.protocol;

import org.jspecify.annotations.NullMarked;
