package io.millrace.tests.load;

/// Reads every partition from its start until it is closed.
interface Reader extends AutoCloseable {

    /// What it saw so far; after [#close], all it saw.
    Sightings sightings();

    @Override
    void close();
}
