package io.millrace.service.config;

import org.apache.kafka.common.protocol.Errors;

/// Why a value given for a key cannot be taken.
///
/// @param key as given
/// @param error Kafka's code for it
/// @param message Kafka's text for it
public record SettingProblem(String key, Errors error, String message) {}
