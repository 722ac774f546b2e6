package io.millrace.tests.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

import io.millrace.tests.history.Mark;
import io.millrace.tests.history.Reading;
import io.millrace.tests.history.Stored;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;

/// Reads the committed records of one partition from its beginning on, and passes over aborted ones as Kafka's consumer does.
final class CommittedReader {
    private static final int MAX_WAIT_MILLIS = 500;
    private static final int MAX_BYTES = 1_000;
    private static final byte READ_COMMITTED = 1;

    private final SimulatedClient client;
    private final PartitionKey partition;
    private final String name;
    private final List<Stored> seen = new ArrayList<>();
    private final Set<Long> aborted = new HashSet<>();
    private long offset;
    private long round;

    CommittedReader(SimulatedClient client, PartitionKey partition, String name) {
        this.client = client;
        this.partition = partition;
        this.name = name;
    }

    void start() {
        client.later(500, this::fetch);
    }

    Reading reading() {
        return new Reading(name, partition.partition(), seen);
    }

    /// The next offset that it will read.
    long offset() {
        return offset;
    }

    private void fetch() {
        var known = client.find(partition);
        if (known == null || !known.hasLeader()) {
            again();
            return;
        }
        var id = partition.topicId();
        var topic = new FetchTopic().setTopicId(new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits()));
        topic.partitions().add(new FetchPartition().setPartition(partition.partition()).setFetchOffset(offset)
                .setCurrentLeaderEpoch(known.leaderEpoch()).setPartitionMaxBytes(MAX_BYTES));
        var request = new FetchRequestData().setMaxWaitMs(MAX_WAIT_MILLIS).setMinBytes(1).setMaxBytes(MAX_BYTES)
                .setSessionEpoch(-1).setIsolationLevel(READ_COMMITTED);
        request.topics().add(topic);
        long mine = ++round;
        client.<FetchResponseData>ask(known.leader(), request, answer -> {
            if (mine == round) {
                answered(answer);
            }
        }, () -> {
            if (mine == round) {
                again();
            }
        });
    }

    private void answered(FetchResponseData answer) {
        var told = answer.responses().getFirst().partitions().getFirst();
        if (told.errorCode() != Errors.NONE.code()) {
            if (told.errorCode() == Errors.OFFSET_OUT_OF_RANGE.code()) {
                throw new Violation("%s of partition=%s: offset=%d is out of range", name, partition, offset);
            }
            again();
            return;
        }
        if (told.records() instanceof Records records) {
            var begins = new PriorityQueue<AbortedTransaction>(Comparator.comparingLong(
                    AbortedTransaction::firstOffset));
            var listed = told.abortedTransactions();
            if (listed != null) {
                begins.addAll(listed);
            }
            records.batches().forEach(batch -> take(batch, begins));
        }
        client.later(100, this::fetch);
    }

    private void take(RecordBatch batch, PriorityQueue<AbortedTransaction> begins) {
        if (batch.lastOffset() < offset) {
            return;
        }
        for (var first = begins.peek(); first != null && first.firstOffset() <= batch.lastOffset(); first = begins
                .peek()) {
            aborted.add(first.producerId());
            begins.remove();
        }
        if (batch.isControlBatch()) {
            if (ControlRecordType.parse(batch.iterator().next().key()) == ControlRecordType.ABORT) {
                aborted.remove(batch.producerId());
            }
        } else if (!batch.isTransactional() || !aborted.contains(batch.producerId())) {
            batch.forEach(record -> {
                if (record.offset() >= offset) {
                    seen.add(new Stored(record.offset(), mark(record.value().getLong(record.value().position()))));
                }
            });
        }
        offset = batch.nextOffset();
    }

    /// As histories name the record of that number.
    static Mark mark(long value) {
        return new Mark(TransactionalProducer.name((int) (value >>> Integer.SIZE)), value & 0xFFFF_FFFFL);
    }

    private void again() {
        client.refresh();
        client.later(200, this::fetch);
    }
}
