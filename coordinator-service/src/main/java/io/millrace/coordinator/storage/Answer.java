package io.millrace.coordinator.storage;

import org.apache.kafka.common.protocol.Errors;

/// What a partition's leader said.
///
/// @param value has a meaning only where there is no error
record Answer<T>(Errors error, T value) {}
