package io.millrace.controller.core;

/// What a command comes to.
///
/// @param <R> the command's own result type
/// @param result once the nodes concerned have applied the decision
/// @param late in place of `result`, where they have not within the wait; the decision holds all the same
/// @param waitMillis how long to wait for them; 0 does not wait
/// @param goesOn whether more of the command is to be decided, once others had their turn; this answer is then nobody's
record Answer<R>(Decision decision, R result, R late, long waitMillis, boolean goesOn) {

    /// The answer to all of a command.
    Answer(Decision decision, R result, R late, long waitMillis) {
        this(decision, result, late, waitMillis, false);
    }

    /// An answer that nobody has to apply first.
    static <R> Answer<R> atOnce(Decision decision, R result) {
        return new Answer<>(decision, result, result, 0);
    }
}
