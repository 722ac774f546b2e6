package io.millrace.admin.upstream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.image.NodeImage;
import io.millrace.service.protocol.TopicIds;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;

/// Records read from the leaders of their partitions as a consumer without a group does.
@Slf4j
public final class Fetches {
    private static final int CONSUMER = -1;
    private static final int NO_SESSION_EPOCH = -1;
    private static final int PARTITION_BYTES = 1 << 20;
    private static final int ANSWER_BYTES = 8 << 20;

    private final Cluster cluster;

    /// @param cluster where the leaders are
    public Fetches(Cluster cluster) {
        this.cluster = cluster;
    }

    /// A record and the batch that it came in.
    public record Read(Record record, RecordBatch batch) {}

    /// What one partition gave.
    ///
    /// @param next offset to go on from
    /// @param error NONE, or why there is nothing: OFFSET_OUT_OF_RANGE, BROKER_NOT_AVAILABLE and others
    /// @param logStart offset of the first record that there is; -1 where it is not known
    public record Part(List<Read> records, long next, Errors error, long logStart) {}

    /// Reads one answer of each leader.
    ///
    /// @param positions offsets to begin at
    /// @param maxWait how long leaders wait for records where there are none
    /// @param committed whether to leave out records of transactions that are open or were aborted
    public Map<TopicPartition, Part> fetch(Map<TopicPartition, Long> positions, Duration maxWait, boolean committed) {
        var parts = new HashMap<TopicPartition, Part>();
        var byLeader = new HashMap<NodeImage, List<TopicPartition>>();
        positions.forEach((partition, offset) -> cluster.leader(partition).ifPresentOrElse(leader -> byLeader
                .computeIfAbsent(leader, _ -> new ArrayList<>()).add(partition), () -> parts.put(partition, failed(
                        offset, Errors.LEADER_NOT_AVAILABLE))));
        var asked = new HashMap<NodeImage, CompletableFuture<FetchResponseData>>();
        byLeader.forEach((leader, partitions) -> asked.put(leader, cluster.ask(leader, request(partitions, positions,
                maxWait, committed))));
        asked.forEach((leader, answer) -> {
            try {
                collect(Cluster.join(answer), positions, committed, parts);
            } catch (RuntimeException failure) {
                log.warn("event=fetch-failed broker={} cause=\"{}\"", leader.id(), failure.toString());
            }
            byLeader.getOrDefault(leader, List.of()).forEach(partition -> parts.computeIfAbsent(partition,
                    _ -> failed(positions.getOrDefault(partition, 0L), Errors.BROKER_NOT_AVAILABLE)));
        });
        return parts;
    }

    /// Timestamps of the batches in which those offsets lie, asked of all at once: the oldest records of them, or somewhat younger
    /// ones of their batches. Where nobody answers, or there is nothing, there is none.
    public Map<TopicPartition, Long> timestamps(Map<TopicPartition, Long> positions) {
        var asked = new HashMap<TopicPartition, CompletableFuture<FetchResponseData>>();
        positions.forEach((partition, offset) -> cluster.leader(partition).ifPresent(leader -> {
            var request = request(List.of(partition), positions, Duration.ZERO, false).setMaxBytes(1);
            request.topics().forEach(topic -> topic.partitions().forEach(one -> one.setPartitionMaxBytes(1)));
            asked.put(partition, cluster.ask(leader, request));
        }));
        var found = new HashMap<TopicPartition, Long>();
        asked.forEach((partition, answer) -> {
            try {
                var parts = new HashMap<TopicPartition, Part>();
                collect(Cluster.join(answer), positions, false, parts);
                var part = parts.get(partition);
                if (part != null && !part.records.isEmpty()) {
                    found.put(partition, part.records.getFirst().record.timestamp());
                }
            } catch (RuntimeException failure) {
                log.debug("event=timestamp-failed partition={} cause=\"{}\"", partition, failure.toString());
            }
        });
        return found;
    }

    private static Part failed(long offset, Errors error) {
        return new Part(List.of(), offset, error, -1);
    }

    private FetchRequestData request(List<TopicPartition> partitions, Map<TopicPartition, Long> positions,
            Duration maxWait, boolean committed) {
        var topics = new HashMap<String, FetchTopic>();
        for (var partition : partitions) {
            topics.computeIfAbsent(partition.topic(), name -> new FetchTopic().setTopic(name).setTopicId(cluster.image()
                    .topic(name).map(topic -> TopicIds.toKafka(topic.id()))
                    .orElse(org.apache.kafka.common.Uuid.ZERO_UUID))).partitions()
                    .add(new FetchPartition().setPartition(partition.partition())
                            .setFetchOffset(positions.getOrDefault(partition, 0L))
                            .setPartitionMaxBytes(PARTITION_BYTES));
        }
        return new FetchRequestData().setReplicaId(CONSUMER).setMaxWaitMs((int) maxWait.toMillis()).setMinBytes(1)
                .setMaxBytes(ANSWER_BYTES).setSessionEpoch(NO_SESSION_EPOCH)
                .setIsolationLevel((byte) (committed ? 1 : 0))
                .setTopics(List.copyOf(topics.values()));
    }

    private void collect(FetchResponseData answer, Map<TopicPartition, Long> positions, boolean committed,
            Map<TopicPartition, Part> parts) {
        for (var topic : answer.responses()) {
            var name = topic.topic().isEmpty()
                    ? cluster.image().topic(TopicIds.fromKafka(topic.topicId())).map(found -> found.name()).orElse("")
                    : topic.topic();
            for (var data : topic.partitions()) {
                var partition = new TopicPartition(name, data.partitionIndex());
                var offset = positions.get(partition);
                if (offset != null) {
                    parts.put(partition, part(data, offset, committed));
                }
            }
        }
    }

    private static Part part(PartitionData data, long offset, boolean committed) {
        var error = Errors.forCode(data.errorCode());
        if (error != Errors.NONE || !(data.records() instanceof Records fetched)) {
            return new Part(List.of(), offset, error, data.logStartOffset());
        }
        var aborted = new Aborted(committed ? data.abortedTransactions() : null);
        var read = new ArrayList<Read>();
        long next = offset;
        for (var batch : fetched.batches()) {
            next = Math.max(next, batch.nextOffset());
            if (aborted.covers(batch) || batch.isControlBatch()) {
                continue;
            }
            for (var record : batch) {
                if (record.offset() >= offset) {
                    read.add(new Read(record, batch));
                }
            }
        }
        return new Part(read, next, error, data.logStartOffset());
    }

    /// Which producers' transactions are being passed over, in the order of the batches.
    private static final class Aborted {
        private final PriorityQueue<AbortedTransaction> coming = new PriorityQueue<>(Comparator.comparingLong(
                AbortedTransaction::firstOffset));
        private final Set<Long> producers = new TreeSet<>();

        Aborted(@org.jspecify.annotations.Nullable List<AbortedTransaction> transactions) {
            if (transactions != null) {
                coming.addAll(transactions);
            }
        }

        boolean covers(RecordBatch batch) {
            for (var first = coming.peek(); first != null && first.firstOffset() <= batch.lastOffset(); first = coming
                    .peek()) {
                coming.remove();
                producers.add(first.producerId());
            }
            if (!batch.isTransactional()) {
                return false;
            }
            if (batch.isControlBatch()) {
                var marker = batch.iterator();
                if (marker.hasNext() && ControlRecordType.parse(marker.next().key()) == ControlRecordType.ABORT) {
                    producers.remove(batch.producerId());
                }
                return false;
            }
            return producers.contains(batch.producerId());
        }
    }
}
