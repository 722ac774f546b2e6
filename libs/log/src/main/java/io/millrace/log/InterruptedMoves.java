package io.millrace.log;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import lombok.extern.slf4j.Slf4j;

/// What a stop has left of logs that were being deleted or moved to another directory. A copy is complete from the moment on
/// at which the log that it was made of bears the name of something to delete, with the copy's own id: then it takes that
/// log's place. Any other copy is thrown away, and to be made anew.
@Slf4j
public final class InterruptedMoves {
    private InterruptedMoves() {}

    /// Finishes what was begun, before any log is opened.
    ///
    /// @param complete whether these are all directories of the broker. Where one is missing, it is not known which copies
    ///        are complete, and nothing that was to be deleted may go: it may be all that there is
    /// @return moves that are to begin anew, and where to
    public static Map<PartitionId, LogDirectory> settle(List<LogDirectory> directories, boolean complete)
            throws IOException {
        var replaced = new HashSet<LogNames.Passing>();
        for (var directory : directories) {
            directory.passing().stream().filter(each -> !each.copy()).forEach(replaced::add);
        }
        var again = new HashMap<PartitionId, LogDirectory>();
        for (var directory : directories) {
            for (var each : directory.passing()) {
                if (each.copy()) {
                    settle(each, directory, replaced, complete, again);
                }
            }
        }
        if (complete) {
            for (var directory : directories) {
                directory.removeDeleted();
            }
        }
        return again;
    }

    private static void settle(LogNames.Passing copy, LogDirectory directory, Set<LogNames.Passing> replaced,
            boolean complete, Map<PartitionId, LogDirectory> again) throws IOException {
        if (replaced.contains(copy.replaced())) {
            log.info("a log that was moved takes its place partition={} directory={}", copy.id(), directory.path());
            directory.install(copy);
        } else if (complete) {
            log.info("a move that was cut short begins anew partition={} directory={}", copy.id(), directory.path());
            directory.discard(copy);
            again.put(copy.id(), directory);
        } else {
            log.warn(
                    "left alone: the copy of a log that may lie in a directory that is missing partition={} directory={}",
                    copy.id(), directory.path());
        }
    }
}
