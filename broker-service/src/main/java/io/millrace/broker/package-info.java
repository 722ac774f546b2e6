/// The broker service: partition logs, served over the Kafka protocol. Only this package knows Spring.
@NullMarked
package io.millrace.broker;

import org.jspecify.annotations.NullMarked;
