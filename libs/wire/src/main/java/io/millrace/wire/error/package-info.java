/// Failures and the Kafka code each of them becomes: decided in one place.
@NullMarked
package io.millrace.wire.error;

import org.jspecify.annotations.NullMarked;
