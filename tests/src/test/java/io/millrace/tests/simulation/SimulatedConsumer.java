package io.millrace.tests.simulation;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.Records;

/// Reads one partition from its beginning, again and again. What it is shown must have been committed, as it is shown.
final class SimulatedConsumer {
    private static final int MAX_WAIT_MILLIS = 500;
    private static final int MAX_BYTES = 500;

    private final SimulatedClient client;
    private final PartitionKey partition;
    private final CommittedLog committed;
    private long offset;
    private long round;
    private boolean stopped;

    SimulatedConsumer(SimulatedClient client, PartitionKey partition, CommittedLog committed) {
        this.client = client;
        this.partition = partition;
        this.committed = committed;
    }

    void start() {
        client.later(500, this::fetch);
    }

    /// Its topic goes.
    void stop() {
        stopped = true;
    }

    /// The next one it will read.
    long offset() {
        return offset;
    }

    private void fetch() {
        if (stopped) {
            return;
        }
        var known = client.find(partition);
        if (known == null || !known.hasLeader()) {
            again();
            return;
        }
        var id = partition.topicId();
        var topic = new FetchTopic().setTopicId(new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits()));
        topic.partitions().add(new FetchPartition().setPartition(partition.partition())
                .setFetchOffset(offset)
                .setCurrentLeaderEpoch(known.leaderEpoch())
                .setPartitionMaxBytes(MAX_BYTES));
        var request = new FetchRequestData().setMaxWaitMs(MAX_WAIT_MILLIS).setMinBytes(1).setMaxBytes(MAX_BYTES)
                .setSessionEpoch(-1);
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
        if (stopped) {
            return;
        }
        var told = answer.responses().getFirst().partitions().getFirst();
        switch (Errors.forCode(told.errorCode())) {
            case NONE -> {
                if (told.records() instanceof Records records) {
                    Batches.each(records, (at, value, _) -> {
                        if (at >= offset) {
                            shown(at, value);
                        }
                    });
                }
                client.later(100, this::fetch);
            }
            case OFFSET_OUT_OF_RANGE -> {
                if (offset >= committed.start()) {
                    throw new Violation(
                            "consumer of partition=%s: offset=%d is out of range, nobody deleted from %d on",
                            partition, offset, committed.start());
                }
                offset = committed.start();
                client.later(100, this::fetch);
            }
            default -> again();
        }
    }

    private void shown(long at, long value) {
        if (at != offset || !committed.holds(at, value)) {
            throw new Violation("consumer of partition=%s was shown record=%x at offset=%d, it waits for offset=%d, "
                    + "committed are %d", partition, value, at, offset, committed.end());
        }
        offset = at + 1;
    }

    private void again() {
        client.refresh();
        client.later(200, this::fetch);
    }
}
