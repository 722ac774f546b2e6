package io.millrace.broker.admin;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

import io.millrace.broker.directories.BlockingWork;
import io.millrace.broker.directories.LogDirectories;
import io.millrace.log.PartitionId;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirPartitionResult;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// AlterReplicaLogDirs: a log is made in the directory that it is asked to lie in, or moved there. What is moved is answered
/// at once; DescribeLogDirs tells how far it is.
@Slf4j
public final class AlterReplicaLogDirsHandler
        implements
            ApiHandler<AlterReplicaLogDirsRequestData, AlterReplicaLogDirsResponseData> {
    private final LogDirectories directories;
    private final BlockingWork disks;

    public AlterReplicaLogDirsHandler(LogDirectories directories, BlockingWork disks) {
        this.directories = directories;
        this.disks = disks;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.ALTER_REPLICA_LOG_DIRS;
    }

    @Override
    public CompletableFuture<AlterReplicaLogDirsResponseData> handle(AlterReplicaLogDirsRequestData request,
            RequestContext context) {
        return disks.answer(() -> place(request));
    }

    private AlterReplicaLogDirsResponseData place(AlterReplicaLogDirsRequestData request) {
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
        return answer;
    }

    private Errors place(PartitionId id, String path) {
        try {
            return switch (directories.place(id, Path.of(path))) {
                case THERE, MOVING -> Errors.NONE;
                // Kafka's word for a log that will be made there; tools ask again until it is.
                case LATER -> Errors.REPLICA_NOT_AVAILABLE;
                case UNUSABLE -> Errors.KAFKA_STORAGE_ERROR;
                case UNKNOWN -> Errors.LOG_DIR_NOT_FOUND;
            };
        } catch (InvalidPathException _) {
            return Errors.LOG_DIR_NOT_FOUND;
        } catch (IOException failure) {
            log.warn("a log cannot be moved partition={} to={}", id, path, failure);
            return Errors.KAFKA_STORAGE_ERROR;
        }
    }
}
