package io.millrace.broker.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import io.millrace.broker.directories.BlockingWork;
import io.millrace.broker.directories.LogDirectories;
import io.millrace.log.LogDirectory;
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
        var result = new DescribeLogDirsResult().setLogDir(directory.path().toAbsolutePath().toString());
        if (!directories.usable(directory)) {
            return result.setErrorCode(Errors.KAFKA_STORAGE_ERROR.code());
        }
        try {
            var store = Files.getFileStore(directory.path());
            result.setTotalBytes(store.getTotalSpace()).setUsableBytes(store.getUsableSpace());
        } catch (IOException failure) {
            log.warn("the size of a disk is not known directory={}", directory.path(), failure);
        }
        Map<String, DescribeLogDirsTopic> topics = new HashMap<>();
        directories.logsIn(directory).forEach((id, partitionLog) -> {
            if (asked.test(id)) {
                topics.computeIfAbsent(id.topic(), name -> new DescribeLogDirsTopic().setName(name))
                        .partitions()
                        .add(describe(id, partitionLog));
            }
        });
        result.topics().addAll(topics.values());
        return result;
    }

    private static DescribeLogDirsPartition describe(PartitionId id, PartitionLog partitionLog) {
        return new DescribeLogDirsPartition().setPartitionIndex(id.partition())
                .setPartitionSize(partitionLog.sizeBytes())
                .setOffsetLag(Math.max(0, partitionLog.highWatermark() - partitionLog.logEndOffset()));
    }
}
