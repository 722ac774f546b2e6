@NullMarked
package io.millrace.service.lifecycle;

import org.jspecify.annotations.NullMarked;
