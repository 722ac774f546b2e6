@NullMarked
package io.millrace.wire.server;

import org.jspecify.annotations.NullMarked;
