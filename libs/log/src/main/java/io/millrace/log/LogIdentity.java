package io.millrace.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

import io.millrace.base.check.Check;
import io.millrace.log.disk.Disk;
import org.jspecify.annotations.Nullable;

/// Which topic one log belongs to. That is on disk for sure before anything else of the log is, and no sooner: an fsync for
/// each of a thousand new logs is most of what it takes to make them.
final class LogIdentity {
    private final PartitionMetadata metadata;
    /// Guarded by the log's lock.
    private @Nullable UUID topicId;
    private volatile boolean durable;

    /// @param settled whether the log was closed well, and with it what is known here
    LogIdentity(Disk disk, Path directory, boolean settled) throws IOException {
        metadata = new PartitionMetadata(disk, directory.resolve(PartitionMetadata.FILE_NAME));
        topicId = metadata.read();
        durable = settled && topicId != null;
    }

    /// Null where it is not known yet.
    @Nullable
    UUID topicId() {
        return topicId;
    }

    /// Durable when it returns, where it was not known.
    ///
    /// @throws IllegalStateException where the log belongs to another topic
    void assign(UUID assigned) throws IOException {
        var known = topicId;
        if (known != null) {
            Check.state(known.equals(assigned), "%s is of topic id %s, not %s", metadata.path(), known, assigned);
            return;
        }
        metadata.write(assigned);
        topicId = assigned;
        durable = true;
    }

    /// To be called before anything of the log is said to be durable. Blocks the first time. Any thread may call.
    void makeDurable() throws IOException {
        if (!durable) {
            metadata.sync();
            durable = true;
        }
    }
}
