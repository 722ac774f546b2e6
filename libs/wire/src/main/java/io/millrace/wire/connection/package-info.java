/// One connection's life on its event loop: requests are handled as they arrive, answers leave in that order.
@NullMarked
package io.millrace.wire.connection;

import org.jspecify.annotations.NullMarked;
