@NullMarked
package io.millrace.service.metrics;

import org.jspecify.annotations.NullMarked;
