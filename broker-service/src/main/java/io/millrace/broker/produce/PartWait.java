package io.millrace.broker.produce;

import java.util.concurrent.TimeoutException;

import io.millrace.broker.partition.AckWait;
import io.millrace.broker.partition.Partition;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The batch of one partition of a request, while it waits for the in-sync replicas, or for the disk.
final class PartWait extends AckWait {
    private final PendingProduce request;
    private final Partition partition;
    private final TopicProduceData topic;
    private final PartitionProduceResponse part;
    /// Written before it is put into the mailbox, read after it was taken out.
    private @Nullable Refused refused;

    PartWait(boolean forReplicas, PendingProduce request, Partition partition, TopicProduceData topic,
            PartitionProduceResponse part) {
        super(forReplicas);
        this.request = request;
        this.partition = partition;
        this.topic = topic;
        this.part = part;
    }

    Partition partition() {
        return partition;
    }

    TopicProduceData topic() {
        return topic;
    }

    PartitionProduceResponse part() {
        return part;
    }

    @Override
    protected void done(@Nullable Refused reason) {
        refused = reason;
        request.mailbox().add(this);
    }

    /// Why it is given up, its time being over.
    Exception expired() {
        return forReplicas() && partition.underMinIsr()
                ? new Refused(Errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND, partition.id() + " " + partition.role())
                : new TimeoutException(partition.id() + " is not replicated");
    }

    /// On the connection's loop.
    void over() {
        request.over(this, refused);
    }
}
