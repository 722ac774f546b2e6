/// The way to the controller that is active now: who finds it, and the HTTP/2 client that reaches it.
@NullMarked
package io.millrace.metadata.controller;

import org.jspecify.annotations.NullMarked;
