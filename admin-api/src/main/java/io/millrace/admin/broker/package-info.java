/// Brokers, their configurations and the replicas on them.
@NullMarked
package io.millrace.admin.broker;

import org.jspecify.annotations.NullMarked;
