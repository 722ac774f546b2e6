/// What a Kafka API is to the services: one [io.millrace.wire.api.ApiHandler] each, gathered in an
/// [io.millrace.wire.api.ApiRegistry] that answers ApiVersions itself and refuses, part by part, what this node does not
/// serve. Handlers run on the connection's event loop.
@NullMarked
package io.millrace.wire.api;

import org.jspecify.annotations.NullMarked;
