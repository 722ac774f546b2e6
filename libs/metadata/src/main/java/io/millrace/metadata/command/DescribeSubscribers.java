package io.millrace.metadata.command;

import java.util.List;

import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.Role;

/// Who follows the metadata of the active controller, and how far.
public record DescribeSubscribers() implements Command<DescribeSubscribers.Result> {
    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// A node with a stream.
    ///
    /// @param nodeEpoch czxid of its registration
    /// @param applied the newest version that it said it has applied
    /// @param lagMillis how long the oldest version has waited that it has not applied; 0 where it has all
    public record Row(Role role, int id, long nodeEpoch, MetadataVersion applied, long lagMillis) {}

    /// @param published the newest version
    /// @param subscribers by role and id
    public record Result(int controllerId, MetadataVersion published, List<Row> subscribers) {
        public Result {
            subscribers = List.copyOf(subscribers);
        }
    }
}
