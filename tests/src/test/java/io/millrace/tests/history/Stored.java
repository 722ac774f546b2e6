package io.millrace.tests.history;

/// A record at its place.
public record Stored(long offset, Mark mark) {}
