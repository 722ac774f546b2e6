@NullMarked
package io.millrace.wire.api;

import org.jspecify.annotations.NullMarked;
