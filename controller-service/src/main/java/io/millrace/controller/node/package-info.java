/// Which nodes are alive, fenced or shutting down. Pure.
@NullMarked
package io.millrace.controller.node;

import org.jspecify.annotations.NullMarked;
