/// Kafka's admin APIs that a broker answers from what it alone knows.
@NullMarked
package io.millrace.broker.admin;

import org.jspecify.annotations.NullMarked;
