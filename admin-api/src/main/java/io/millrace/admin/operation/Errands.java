package io.millrace.admin.operation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.millrace.admin.operation.Errand.Balance;
import io.millrace.admin.operation.Errand.Drain;
import io.millrace.admin.operation.Errand.Handover;
import io.millrace.admin.operation.Errand.LogMove;
import io.millrace.admin.operation.Errand.LogMoves;
import io.millrace.admin.operation.Errand.LogPlace;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.LogDirs;
import io.millrace.metadata.command.DrainCoordinator;
import io.millrace.metadata.image.NodeImage;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDir;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDirTopic;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.protocol.Errors;

/// Asks for what errands want, again and again until it shows.
@Slf4j
public final class Errands {
    private final Cluster cluster;
    private final LogDirs directories;

    public Errands(Cluster cluster, LogDirs directories) {
        this.cluster = cluster;
        this.directories = directories;
    }

    /// Where the logs lie that an operation is about; empty where it is about none, or the broker does not say.
    Map<TopicPartition, LogPlace> logs(Operation operation) {
        return operation.errand() instanceof LogMoves logs && !operation.state().over()
                ? cluster.image().broker(logs.broker()).filter(NodeImage::active).map(this::places).orElse(Map.of())
                : Map.of();
    }

    /// Where the logs of a broker lie; empty where it does not say.
    public Map<TopicPartition, LogPlace> places(NodeImage broker) {
        return places(directories.of(Set.of(broker)).getOrDefault(broker, List.of()));
    }

    private static Map<TopicPartition, LogPlace> places(List<DescribeLogDirsResult> told) {
        var places = new HashMap<TopicPartition, LogPlace>();
        told.forEach(directory -> directory.topics().forEach(topic -> topic.partitions().forEach(log -> {
            var partition = new TopicPartition(topic.name(), log.partitionIndex());
            var found = log.isFutureKey()
                    ? new LogPlace("", 0, directory.logDir(), log.partitionSize())
                    : new LogPlace(directory.logDir(), log.partitionSize(), null, 0);
            places.merge(partition, found, (one, other) -> one.future() == null
                    ? new LogPlace(one.directory(), one.bytes(), other.future(), other.futureBytes())
                    : new LogPlace(other.directory(), other.bytes(), one.future(), one.futureBytes()));
        })));
        return places;
    }

    /// Has done what an operation wants now.
    ///
    /// @return the operation after that
    Operation run(Operation operation) {
        if (operation.state().over()) {
            return operation;
        }
        return switch (operation.errand()) {
            case LogMoves logs -> {
                var refused = move(logs);
                yield refused.isEmpty() ? operation : refused(operation, logs, refused);
            }
            case Drain drain -> {
                if (!operation.cancelling() || drain.calledOff()) {
                    yield operation;
                }
                cluster.command(new DrainCoordinator(drain.coordinator(), false));
                yield operation.with(new Drain(drain.coordinator(), drain.nodeEpoch(), drain.shards(), drain.left(),
                        true));
            }
            case Balance _,Handover _ -> operation;
            case null -> operation;
        };
    }

    private Map<LogMove, String> move(LogMoves logs) {
        var broker = cluster.image().broker(logs.broker()).filter(NodeImage::active);
        var wanted = logs.logs().stream().filter(log -> !log.done() && log.error() == null).toList();
        if (broker.isEmpty() || wanted.isEmpty()) {
            return Map.of();
        }
        var request = new AlterReplicaLogDirsRequestData();
        wanted.forEach(log -> {
            var path = log.goal(logs.back());
            var directory = request.dirs().find(path);
            if (directory == null) {
                directory = new AlterReplicaLogDir().setPath(path);
                request.dirs().add(directory);
            }
            var topic = directory.topics().find(log.topic());
            if (topic == null) {
                topic = new AlterReplicaLogDirTopic().setName(log.topic());
                directory.topics().add(topic);
            }
            topic.partitions().add(log.partition());
        });
        var refused = new HashMap<LogMove, String>();
        Cluster.join(cluster.<AlterReplicaLogDirsResponseData>ask(broker.get(), request)).results().forEach(
                topic -> topic.partitions().forEach(partition -> {
                    var error = Errors.forCode(partition.errorCode());
                    if (error != Errors.NONE && error != Errors.REPLICA_NOT_AVAILABLE) {
                        wanted.stream().filter(log -> log.topic().equals(topic.topicName()) && log
                                .partition() == partition.partitionIndex()).forEach(log -> refused.put(log, error
                                        .message()));
                    }
                }));
        return refused;
    }

    private static Operation refused(Operation operation, LogMoves logs, Map<LogMove, String> refused) {
        refused.forEach((move, why) -> log.warn("log move refused operation={} partition={}-{} cause=\"{}\"", operation
                .id(), move.topic(), move.partition(), why));
        return operation.with(new LogMoves(logs.broker(), logs.logs().stream().map(move -> {
            var why = refused.get(move);
            return why == null ? move : move.failed(why);
        }).toList(), logs.back()));
    }
}
