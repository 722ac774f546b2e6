/// Measures the controller beside simulated nodes: see `bench/controller`.
@NullMarked
package io.millrace.bench.controller;

import org.jspecify.annotations.NullMarked;
