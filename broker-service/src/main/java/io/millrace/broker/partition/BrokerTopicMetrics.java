package io.millrace.broker.partition;

import java.util.ArrayList;
import java.util.List;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/// `kafka.server.brokertopicmetrics.*`: what goes through the partitions of this broker, of each topic and of all.
///
/// The sum over all topics is the series whose `topic` is empty, which Prometheus takes for a series without it.
public final class BrokerTopicMetrics {
    private static final String PREFIX = "kafka.server.brokertopicmetrics.";

    private final MeterRegistry registry;
    private final Meters all;
    private final Counter replicationBytesOut;
    private final Counter reassignmentBytesOut;

    public BrokerTopicMetrics(MeterRegistry registry) {
        this.registry = registry;
        replicationBytesOut = Counter.builder(PREFIX + "replicationbytesout").register(registry);
        reassignmentBytesOut = Counter.builder(PREFIX + "reassignmentbytesout").register(registry);
        this.all = new Meters("");
    }

    /// The meters of one topic. To be kept by whoever counts, since they are looked up here only, and to be closed when
    /// the topic goes.
    public TopicMeters topic(String name) {
        return new TopicMeters(new Meters(name), all);
    }

    /// Counts a part of a Produce request that named no topic of this broker.
    public void produceRefused() {
        all.produceRequests.increment();
    }

    /// Counts a part of a Fetch request that named no topic of this broker.
    public void fetchRefused() {
        all.fetchRequests.increment();
    }

    /// Records were sent to a follower.
    ///
    /// @param coming whether a reassignment brings that follower in
    public void replicated(long bytes, boolean coming) {
        replicationBytesOut.increment((double) bytes);
        if (coming) {
            reassignmentBytesOut.increment((double) bytes);
        }
    }

    /// Counters of one topic, each of which also counts for all topics.
    public static final class TopicMeters implements AutoCloseable {
        private final Meters own;
        private final Meters all;

        private TopicMeters(Meters own, Meters all) {
            this.own = own;
            this.all = all;
        }

        /// A batch was appended.
        public void appended(long bytes, long records) {
            own.bytesIn.increment((double) bytes);
            all.bytesIn.increment((double) bytes);
            own.messagesIn.increment((double) records);
            all.messagesIn.increment((double) records);
        }

        /// Records were sent to a consumer.
        public void sent(long bytes) {
            own.bytesOut.increment((double) bytes);
            all.bytesOut.increment((double) bytes);
        }

        /// A batch was refused.
        public void rejected(long bytes) {
            own.bytesRejected.increment((double) bytes);
            all.bytesRejected.increment((double) bytes);
        }

        /// A partition of a Produce request was looked at.
        public void produceRequest() {
            own.produceRequests.increment();
            all.produceRequests.increment();
        }

        /// It failed, other than by a client that has to look for the leader again.
        public void produceFailed() {
            own.failedProduceRequests.increment();
            all.failedProduceRequests.increment();
        }

        /// A partition of a Fetch request was looked at.
        public void fetchRequest() {
            own.fetchRequests.increment();
            all.fetchRequests.increment();
        }

        /// It failed, other than by a client that has to look for the leader or the offset again.
        public void fetchFailed() {
            own.failedFetchRequests.increment();
            all.failedFetchRequests.increment();
        }

        /// Takes the topic's series away; those of all topics stay.
        @Override
        public void close() {
            own.close();
        }
    }

    private final class Meters {
        private final List<Counter> counters = new ArrayList<>();
        private final String topic;
        private final Counter bytesIn;
        private final Counter bytesOut;
        private final Counter messagesIn;
        private final Counter bytesRejected;
        private final Counter produceRequests;
        private final Counter fetchRequests;
        private final Counter failedProduceRequests;
        private final Counter failedFetchRequests;

        Meters(String topic) {
            this.topic = topic;
            bytesIn = counter("bytesin");
            bytesOut = counter("bytesout");
            messagesIn = counter("messagesin");
            bytesRejected = counter("bytesrejected");
            produceRequests = counter("totalproducerequests");
            fetchRequests = counter("totalfetchrequests");
            failedProduceRequests = counter("failedproducerequests");
            failedFetchRequests = counter("failedfetchrequests");
        }

        private Counter counter(String name) {
            var counter = Counter.builder(PREFIX + name).tag("topic", topic).register(registry);
            counters.add(counter);
            return counter;
        }

        void close() {
            counters.forEach(registry::remove);
        }
    }
}
