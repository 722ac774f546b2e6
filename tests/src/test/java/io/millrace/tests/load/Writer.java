package io.millrace.tests.load;

import java.util.List;

import io.millrace.tests.history.Writing;

/// Writes numbered records until it is told to end.
interface Writer extends AutoCloseable {

    /// By which histories know it.
    String name();

    /// How many records have been acknowledged so far.
    long acknowledged();

    /// What went wrong with records so far, a text for each kind.
    List<String> failures();

    /// Ends the writing, and waits for what is under way.
    List<Writing> finish();

    /// Ends at once; without effect after [#finish].
    @Override
    void close();
}
