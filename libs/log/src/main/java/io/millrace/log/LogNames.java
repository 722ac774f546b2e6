package io.millrace.log;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// Names of the directories in a log directory, as Kafka gives them.
final class LogNames {
    /// Ends the name of a log that is to be deleted.
    static final String DELETED = "-delete";

    private static final String COPY = "-future";
    private static final Pattern LOG = Pattern.compile("([a-zA-Z0-9._-]+)-([0-9]+)");
    private static final Pattern GOING_OR_COMING = Pattern.compile("(.+)\\.([0-9a-f]{32})(-delete|-future)");

    private LogNames() {}

    /// A log that is to be deleted, or the copy that is to take the place of one.
    ///
    /// @param uniqueId of this deletion or move; the same of a copy and of the log in whose place it came
    record Passing(PartitionId id, String uniqueId, boolean copy) {
        String name() {
            return id.directoryName() + "." + uniqueId + (copy ? COPY : DELETED);
        }

        /// The log that goes when this copy comes.
        Passing replaced() {
            return new Passing(id, uniqueId, false);
        }
    }

    static String newUniqueId() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /// Whose log has that name; empty where it is no log's.
    static Optional<PartitionId> log(String name) {
        var matcher = LOG.matcher(name);
        return matcher.matches()
                ? Optional.of(new PartitionId(matcher.group(1), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    /// What has that name; empty where it is neither to be deleted nor a copy.
    static Optional<Passing> passing(String name) {
        var matcher = GOING_OR_COMING.matcher(name);
        return matcher.matches()
                ? log(matcher.group(1)).map(id -> new Passing(id, matcher.group(2), matcher.group(3).equals(COPY)))
                : Optional.empty();
    }
}
