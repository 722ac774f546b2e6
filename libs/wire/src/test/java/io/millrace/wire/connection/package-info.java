@NullMarked
package io.millrace.wire.connection;

import org.jspecify.annotations.NullMarked;
