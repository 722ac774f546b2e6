package io.millrace.coordinator.group.classic;

import io.millrace.coordinator.record.Bytes;

/// An assignor that a member knows, and what it says to it.
public record Protocol(String name, Bytes metadata) {}
