package io.millrace.service.lifecycle;

import java.util.Optional;
import java.util.function.Supplier;

/// Something without which a service takes no work. Those in a context are shown as `/actuator/health/readiness`.
///
/// @param name as shown: `metadata-stream`
/// @param whyNot the reason why it is not ready; empty where it is. Called on request threads; never blocks
public record ReadinessCheck(String name, Supplier<Optional<String>> whyNot) {}
