package io.millrace.broker.admin;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

import io.millrace.broker.directories.LogDirectories;
import io.millrace.log.PartitionId;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirPartitionResult;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// AlterReplicaLogDirs, as far as it goes by saying where a log is made: one that comes with a reassignment goes where it is
/// asked to, and one that lies there already is done. That is all that the plans need which `kafka-reassign-partitions`
/// prints for a way back. A log that lies in another directory stays there, and the answer says so.
public final class AlterReplicaLogDirsHandler
        implements
            ApiHandler<AlterReplicaLogDirsRequestData, AlterReplicaLogDirsResponseData> {
    private final LogDirectories directories;

    public AlterReplicaLogDirsHandler(LogDirectories directories) {
        this.directories = directories;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.ALTER_REPLICA_LOG_DIRS;
    }

    @Override
    public CompletableFuture<AlterReplicaLogDirsResponseData> handle(AlterReplicaLogDirsRequestData request,
            RequestContext context) {
        var answer = new AlterReplicaLogDirsResponseData();
        for (var directory : request.dirs()) {
            for (var topic : directory.topics()) {
                answer.results()
                        .add(new AlterReplicaLogDirTopicResult().setTopicName(topic.name())
                                .setPartitions(topic.partitions()
                                        .stream()
                                        .map(partition -> new AlterReplicaLogDirPartitionResult().setPartitionIndex(
                                                partition)
                                                .setErrorCode(place(new PartitionId(topic.name(), partition), directory
                                                        .path()).code()))
                                        .toList()));
            }
        }
        return CompletableFuture.completedFuture(answer);
    }

    private Errors place(PartitionId id, String path) {
        try {
            return switch (directories.place(id, Path.of(path))) {
                case THERE -> Errors.NONE;
                // Kafka's word for a log that will be made there; tools ask again until it is.
                case LATER -> Errors.REPLICA_NOT_AVAILABLE;
                case ELSEWHERE -> Errors.UNSUPPORTED_VERSION;
                case UNUSABLE -> Errors.KAFKA_STORAGE_ERROR;
                case UNKNOWN -> Errors.LOG_DIR_NOT_FOUND;
            };
        } catch (InvalidPathException _) {
            return Errors.LOG_DIR_NOT_FOUND;
        }
    }
}
