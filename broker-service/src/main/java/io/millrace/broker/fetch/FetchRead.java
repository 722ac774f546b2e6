package io.millrace.broker.fetch;

import java.util.List;

import io.millrace.broker.partition.Progress;

/// What one look at the partitions of a fetch found.
///
/// @param answers one for each partition asked for, in that order
/// @param bytes of records in them
/// @param urgent whether some answer must not wait: an error, a diverging epoch, a better replica
/// @param watched the partitions whose progress could add to it
/// @param release gives back the parts of files that the answers hold; for answers that are not sent
record FetchRead(List<Answered> answers, long bytes, boolean urgent, List<Watched> watched, Runnable release) {

    /// A partition and its stamp before it was read.
    record Watched(Progress progress, long stamp) {

        boolean moved() {
            return progress.stamp() != stamp;
        }
    }

    /// Whether it can be answered without waiting for more.
    boolean suffices(int minBytes) {
        return urgent || bytes >= minBytes || watched.isEmpty();
    }

    /// Whether something happened to its partitions since they were read.
    boolean stale() {
        for (var partition : watched) {
            if (partition.moved()) {
                return true;
            }
        }
        return false;
    }
}
