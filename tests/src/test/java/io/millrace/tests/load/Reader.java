package io.millrace.tests.load;

import java.util.List;
import java.util.Map;

import io.millrace.tests.history.Reading;
import io.millrace.tests.history.Violation;

/// Reads every partition from its start until it is told to end.
interface Reader extends AutoCloseable {

    /// By which histories know it.
    String name();

    /// The newest offset read of each partition that anything was read of.
    Map<Integer, Long> newest();

    /// What its client said is wrong with the log.
    List<Violation.Complaint> complaints();

    /// Ends the reading.
    List<Reading> finish();

    /// Ends at once; without effect after [#finish].
    @Override
    void close();
}
