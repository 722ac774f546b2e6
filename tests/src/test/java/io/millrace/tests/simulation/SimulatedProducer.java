package io.millrace.tests.simulation;

import java.time.Duration;

import io.millrace.base.loop.Deadline;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;

/// An idempotent producer for one partition, one record at a time, which it sends again until it knows that it is there or
/// its patience ends. With acks=all a record that it is promised must have been committed where the promise says; with
/// acks=1 the leader has it, and may lose it with its office.
final class SimulatedProducer {
    static final short ALL = -1;
    static final short LEADER = 1;

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int PRODUCE_TIMEOUT_MILLIS = 1_500;

    private final SimulatedClient client;
    private final PartitionKey partition;
    private final CommittedLog committed;
    private final int id;
    private final short acks;
    private final int pauseMillis;
    private int number;
    private short epoch;
    private int sequence;
    private boolean promised;
    private long acknowledged;
    private boolean stopped;
    private Deadline patience;

    /// @param id no other producer's
    /// @param acks -1 or 1
    /// @param pauseMillis at most, between two records
    SimulatedProducer(SimulatedClient client, PartitionKey partition, CommittedLog committed, int id, short acks,
            int pauseMillis) {
        this.client = client;
        this.partition = partition;
        this.committed = committed;
        this.id = id;
        this.acks = acks;
        this.pauseMillis = pauseMillis;
        patience = patience();
    }

    private Deadline patience() {
        return Deadline.in(PATIENCE, client.world().loop().ticker());
    }

    void start() {
        client.later(pauseMillis, this::send);
    }

    /// Its topic goes: it begins nothing any more, and what becomes of the record in hand does not matter.
    void stop() {
        stopped = true;
    }

    /// How many records it was promised by all that are in sync.
    long acknowledged() {
        return acknowledged;
    }

    private void send() {
        if (stopped) {
            return;
        }
        var known = client.find(partition);
        if (known == null || !known.hasLeader()) {
            again();
            return;
        }
        long time = client.world().loop().clock().millis();
        var data = new PartitionProduceData().setIndex(partition.partition())
                .setRecords(Batches.of(CommittedLog.value(id, number), time, id, epoch, sequence));
        var topics = new TopicProduceDataCollection();
        var topicId = partition.topicId();
        var topic = new TopicProduceData().setTopicId(new Uuid(topicId.getMostSignificantBits(), topicId
                .getLeastSignificantBits()));
        topic.partitionData().add(data);
        topics.add(topic);
        int sent = number;
        client.<ProduceResponseData>ask(known.leader(), new ProduceRequestData().setAcks(acks)
                .setTimeoutMs(PRODUCE_TIMEOUT_MILLIS)
                .setTopicData(topics), answer -> answered(sent, answer), () -> failed(sent));
    }

    private void answered(int sent, ProduceResponseData answer) {
        if (sent != number || stopped) {
            return;
        }
        PartitionProduceResponse told = answer.responses().iterator().next().partitionResponses().getFirst();
        var error = Errors.forCode(told.errorCode());
        switch (error) {
            case NONE -> promised(told.baseOffset());
            case DUPLICATE_SEQUENCE_NUMBER -> next();
            case OUT_OF_ORDER_SEQUENCE_NUMBER, UNKNOWN_PRODUCER_ID, INVALID_PRODUCER_EPOCH -> {
                if (promised && acks == ALL) {
                    throw new Violation("producer=%d partition=%s: %s after its record=%d was promised", id, partition,
                            error, number - 1);
                }
                giveUp();
            }
            default -> failed(sent);
        }
    }

    private void promised(long offset) {
        long value = CommittedLog.value(id, number);
        if (acks == ALL && offset >= 0 && !committed.holds(offset, value)) {
            throw new Violation("producer=%d partition=%s was promised record=%x at offset=%d, committed are %d", id,
                    partition, value, offset, committed.end());
        }
        acknowledged += acks == ALL ? 1 : 0;
        promised = true;
        sequence++;
        next();
    }

    private void next() {
        number++;
        patience = patience();
        client.later(pauseMillis, this::send);
    }

    private void failed(int sent) {
        if (sent == number && !stopped) {
            if (patience.passed()) {
                giveUp();
            } else {
                again();
            }
        }
    }

    /// What becomes of the record nobody knows. As Kafka's producer does, it goes on in an epoch of its own.
    private void giveUp() {
        epoch++;
        sequence = 0;
        promised = false;
        next();
    }

    private void again() {
        client.refresh();
        client.later(150, this::send);
    }
}
