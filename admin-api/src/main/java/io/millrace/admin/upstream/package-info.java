/// The rest of the cluster as this service sees it: its image for reading, the controller for changes, and the Kafka
/// protocol for what only a broker or a coordinator knows. Calls block the request's own (virtual) thread until an
/// answer or the deadline.
@NullMarked
package io.millrace.admin.upstream;

import org.jspecify.annotations.NullMarked;
