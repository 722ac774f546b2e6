/// The HTTP/2 port of a controller, on which the metadata stream and the commands are served.
@NullMarked
package io.millrace.metadata.endpoint;

import org.jspecify.annotations.NullMarked;
