/// Tests of the broker as a whole, behind a real socket.
@NullMarked
package io.millrace.broker;

import org.jspecify.annotations.NullMarked;
