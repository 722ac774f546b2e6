package io.millrace.service.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;

/// Where a process tells what it does.
///
/// @param meters its metrics
/// @param observations what is timed and, where the process traces, belongs to somebody's trace
public record Telemetry(MeterRegistry meters, ObservationRegistry observations) {}
