@NullMarked
package io.millrace.wire.client;

import org.jspecify.annotations.NullMarked;
