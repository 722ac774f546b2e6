package io.millrace.broker.fetch;

import java.util.List;

import org.apache.kafka.common.protocol.Errors;

/// How a fetch is to be answered, by what it said of its session (KIP-227).
sealed interface FetchPlan {

    /// The whole request is refused: its session is not there, or is at another epoch.
    record Refuse(Errors error) implements FetchPlan {}

    /// All partitions of the request are read and answered.
    ///
    /// @param opensSession whether the client wants a session made of them
    record Full(List<FetchItem> items, boolean opensSession) implements FetchPlan {}

    /// All partitions of the session are read; those that did not change are left out of the answer.
    ///
    /// @param epoch what the session expects next, so that an answer that was overtaken is not given
    record Incremental(FetchSession session, int epoch, List<FetchItem> items) implements FetchPlan {}
}
