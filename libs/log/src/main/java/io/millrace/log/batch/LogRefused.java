package io.millrace.log.batch;

import java.util.List;

import org.apache.kafka.common.protocol.Errors;

/// The log does not take or give what it was asked for; nothing has changed. An answer, not an accident: it has no stack
/// trace, and its message may be sent to the client.
public final class LogRefused extends RuntimeException {
    private final transient Errors error;
    private final transient List<RecordError> recordErrors;

    /// @param batchIndex index of the record within the batch that was sent
    /// @param message what is wrong with it
    public record RecordError(int batchIndex, String message) {}

    public LogRefused(Errors error, String message) {
        this(error, message, List.of());
    }

    /// @param recordErrors the single records that are to blame, where that is known
    public LogRefused(Errors error, String message, List<RecordError> recordErrors) {
        super(message, null, false, false);
        this.error = error;
        this.recordErrors = List.copyOf(recordErrors);
    }

    /// Kafka's code for the answer.
    public Errors error() {
        return error;
    }

    /// Empty where no single record is to blame.
    public List<RecordError> recordErrors() {
        return recordErrors;
    }
}
