/// Measures how long clients notice that a process dies, hangs or is asked to end, in a running cluster of any system that
/// speaks the Kafka protocol. Started by `bench/failover`.
@NullMarked
package io.millrace.bench.failover;

import org.jspecify.annotations.NullMarked;
