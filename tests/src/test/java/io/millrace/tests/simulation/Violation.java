package io.millrace.tests.simulation;

/// Something that must never be.
final class Violation extends AssertionError {
    Violation(String format, Object... ids) {
        super(format.formatted(ids));
    }
}
