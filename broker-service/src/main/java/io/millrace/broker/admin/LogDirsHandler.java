package io.millrace.broker.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import io.millrace.broker.directories.BlockingWork;
import io.millrace.broker.directories.LogDirectories;
import io.millrace.log.LogDirectory;
import io.millrace.log.LogMove;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// DescribeLogDirs: what lies in each log directory of this broker, and how full its disk is.
@Slf4j
public final class LogDirsHandler implements ApiHandler<DescribeLogDirsRequestData, DescribeLogDirsResponseData> {
    private final LogDirectories directories;
    private final BlockingWork disks;

    public LogDirsHandler(LogDirectories directories, BlockingWork disks) {
        this.directories = directories;
        this.disks = disks;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_LOG_DIRS;
    }

    @Override
    public CompletableFuture<DescribeLogDirsResponseData> handle(DescribeLogDirsRequestData request,
            RequestContext context) {
        return disks.answer(() -> {
            var response = new DescribeLogDirsResponseData();
            var asked = asked(request);
            directories.directories().forEach(directory -> response.results().add(describe(directory, asked)));
            directories.missing().forEach(path -> response.results().add(failed(path)));
            return response;
        });
    }

    /// No topics at all in the request stand for every partition.
    private static Predicate<PartitionId> asked(DescribeLogDirsRequestData request) {
        if (request.topics() == null) {
            return _ -> true;
        }
        return id -> {
            var topic = request.topics().find(id.topic());
            return topic != null && topic.partitions().contains(id.partition());
        };
    }

    private DescribeLogDirsResult describe(LogDirectory directory, Predicate<PartitionId> asked) {
        if (!directories.usable(directory)) {
            return failed(directory.path());
        }
        var result = new DescribeLogDirsResult().setLogDir(directory.path().toAbsolutePath().toString());
        try {
            var store = Files.getFileStore(directory.path());
            result.setTotalBytes(store.getTotalSpace()).setUsableBytes(store.getUsableSpace());
        } catch (IOException failure) {
            log.warn("the size of a disk is not known directory={}", directory.path(), failure);
        }
        Map<String, DescribeLogDirsTopic> topics = new HashMap<>();
        directories.logsIn(directory).forEach((id, partitionLog) -> add(topics, asked, id, describe(id, partitionLog)));
        directories.movesTo(directory).forEach(move -> add(topics, asked, move.id(), describe(move)));
        result.topics().addAll(topics.values());
        return result;
    }

    private static DescribeLogDirsResult failed(Path directory) {
        return new DescribeLogDirsResult().setLogDir(directory.toAbsolutePath().toString())
                .setErrorCode(Errors.KAFKA_STORAGE_ERROR.code());
    }

    private static void add(Map<String, DescribeLogDirsTopic> topics, Predicate<PartitionId> asked, PartitionId id,
            DescribeLogDirsPartition partition) {
        if (asked.test(id)) {
            topics.computeIfAbsent(id.topic(), name -> new DescribeLogDirsTopic().setName(name))
                    .partitions()
                    .add(partition);
        }
    }

    private static DescribeLogDirsPartition describe(LogMove move) {
        return new DescribeLogDirsPartition().setPartitionIndex(move.id().partition())
                .setPartitionSize(move.sizeBytes())
                .setOffsetLag(move.lag())
                .setIsFutureKey(true);
    }

    private static DescribeLogDirsPartition describe(PartitionId id, PartitionLog partitionLog) {
        return new DescribeLogDirsPartition().setPartitionIndex(id.partition())
                .setPartitionSize(partitionLog.sizeBytes())
                .setOffsetLag(Math.max(0, partitionLog.highWatermark() - partitionLog.logEndOffset()));
    }
}
