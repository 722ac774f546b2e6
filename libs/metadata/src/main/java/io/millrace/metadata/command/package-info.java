/// What nodes ask of the active controller, what it answers, and the HTTP/2 client and router that carry both as JSON.
@NullMarked
package io.millrace.metadata.command;

import org.jspecify.annotations.NullMarked;
