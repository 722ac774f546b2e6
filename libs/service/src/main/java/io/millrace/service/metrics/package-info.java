/// Meters under the names that Kafka's dashboards and alerts know, and the tags that all meters of a service carry.
@NullMarked
package io.millrace.service.metrics;

import org.jspecify.annotations.NullMarked;
