package io.millrace.admin.transaction;

import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.admin.event.EventLog;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.OpenTransactions;
import io.millrace.admin.upstream.OpenTransactions.Open;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.TopicPartition;

/// What was seen of hanging transactions when somebody last looked, for those who cannot wait for all brokers to be asked; a new
/// one is an event. One look at a time; [#count] from any thread.
@Slf4j
public final class HangingTransactions {
    private final Cluster cluster;
    private final OpenTransactions open;
    private final EventLog events;
    private Set<Seen> known = new HashSet<>();
    private volatile OptionalInt count = OptionalInt.empty();

    private record Seen(TopicPartition partition, long producerId, long startOffset) {}

    public HangingTransactions(Cluster cluster, OpenTransactions open, EventLog events, MeterRegistry meters) {
        Gauge.builder("millrace.transactions.hanging", this, hanging -> hanging.count.isPresent()
                ? hanging.count.getAsInt()
                : Double.NaN).register(meters);
        this.cluster = cluster;
        this.open = open;
        this.events = events;
    }

    /// How many there were; empty before anybody could tell.
    public OptionalInt count() {
        return count;
    }

    /// Asks brokers and coordinators. Where they do not answer, what was known stays.
    public void look() {
        var image = cluster.image();
        if (image.clusterId().isEmpty()) {
            return; // nothing was heard yet
        }
        try {
            var now = new HashSet<Seen>();
            for (var one : open.hanging()) {
                var seen = new Seen(one.partition(), one.producer().producerId(), one.producer()
                        .currentTxnStartOffset());
                now.add(seen);
                if (!known.contains(seen)) {
                    tell(one, image.version().sequence());
                }
            }
            known = now;
            count = OptionalInt.of(now.size());
        } catch (RuntimeException failure) {
            log.warn("event=hanging-transactions-unknown cause=\"{}\"", failure.toString());
        }
    }

    private void tell(Open one, long offset) {
        var partition = one.partition();
        events.happened("txn.hanging", partition.topic(), Map.of("topic_name", partition.topic(), "partition_id",
                partition.partition()), Map.of("producer_id", one.producer().producerId(), "producer_epoch", one
                        .producer().producerEpoch(), "transaction_start_offset", one.producer()
                                .currentTxnStartOffset()),
                offset);
    }
}
