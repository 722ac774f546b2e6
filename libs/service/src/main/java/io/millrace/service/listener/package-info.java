/// The Kafka listeners of a node, by its settings.
@NullMarked
package io.millrace.service.listener;

import org.jspecify.annotations.NullMarked;
