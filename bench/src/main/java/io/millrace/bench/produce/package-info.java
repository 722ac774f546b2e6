/// Measures producers that wait for all in-sync replicas: see `bench/produce`.
@NullMarked
package io.millrace.bench.produce;

import org.jspecify.annotations.NullMarked;
