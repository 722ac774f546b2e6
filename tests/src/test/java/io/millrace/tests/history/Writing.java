package io.millrace.tests.history;

import java.util.List;

/// What one writer did to one partition.
///
/// @param idempotent whether it was promised that nothing is stored twice
/// @param sent how many records it handed to its client; their numbers count from 0
/// @param acknowledged those that the client was told are stored
public record Writing(String writer, int partition, boolean idempotent, long sent, List<Acknowledged> acknowledged) {

    /// An offset that the client does not tell.
    public static final long UNTOLD = -1;

    /// @param offset where it was said to be stored, or [#UNTOLD]
    public record Acknowledged(long number, long offset) {}

    public Writing {
        acknowledged = List.copyOf(acknowledged);
    }
}
