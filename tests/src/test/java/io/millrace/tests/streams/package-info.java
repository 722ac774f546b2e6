/// Kafka Streams, unmodified, with each record processed exactly once.
@NullMarked
package io.millrace.tests.streams;

import org.jspecify.annotations.NullMarked;
