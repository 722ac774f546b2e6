package io.millrace.broker.produce;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.millrace.broker.partition.BrokerTopicMetrics;
import io.millrace.broker.partition.LeaderHints;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.Writer;
import io.millrace.broker.transaction.TransactionChecks;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.producer.TransactionTerms;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.api.ShardEpoch;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Produce. Each partition of a request succeeds or fails for itself; a request without acks that failed anywhere closes
/// its connection, which is all that its client can notice.
public final class ProduceHandler implements ApiHandler<ProduceRequestData, ProduceResponseData> {
    /// Kafka's admin client may write to internal topics.
    private static final String ADMIN_CLIENT = "__admin_client";

    private final PartitionRegistry partitions;
    private final BrokerTopicMetrics metrics;
    private final LeaderHints hints;
    private final ReplicationWaits waits;
    private final TransactionChecks checks;
    private final LongChecks longChecks;
    private final AckMailboxes mailboxes = new AckMailboxes();

    public ProduceHandler(PartitionRegistry partitions, BrokerTopicMetrics metrics, LeaderHints hints,
            ReplicationWaits waits, TransactionChecks checks, LongChecks longChecks) {
        this.longChecks = longChecks;
        this.partitions = partitions;
        this.metrics = metrics;
        this.hints = hints;
        this.waits = waits;
        this.checks = checks;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.PRODUCE;
    }

    @Override
    public boolean answered(ProduceRequestData request) {
        return request.acks() != 0;
    }

    @Override
    public CompletableFuture<ProduceResponseData> handle(ProduceRequestData request, RequestContext context) {
        var acks = Acknowledgement.of(request.acks())
                .orElseThrow(() -> new Refused(Errors.INVALID_REQUIRED_ACKS, "acks=" + request.acks()));
        var answer = new ProduceAnswer(context, hints);
        var appends = new Appends(answer, acks, request, context);
        for (var topic : request.topicData()) {
            for (var sent : topic.partitionData()) {
                appends.append(topic, sent);
            }
        }
        appends.end();
        var done = appends.pending.await(context.loop(), appends.timeout);
        return acks == Acknowledgement.NONE ? done.thenCompose(_ -> orFailure(answer)) : done;
    }

    private static CompletableFuture<ProduceResponseData> orFailure(ProduceAnswer answer) {
        var failure = answer.firstFailure();
        return failure == null
                ? CompletableFuture.completedFuture(answer.response())
                : CompletableFuture.failedFuture(failure);
    }

    @Override
    public void abandoned(CompletableFuture<ProduceResponseData> answer) {
        answer.cancel(false);
    }

    /// The appends of one request.
    private final class Appends implements TransactionalBatches.Decided {
        private final ProduceAnswer answer;
        private final Acknowledgement acks;
        private final Optional<ShardEpoch> shardEpoch;
        private final RequestContext context;
        private final Duration timeout;
        private final @Nullable String transactionalId;
        private final PendingProduce pending;
        private final LongChecks.Request waiting;
        private final boolean behindOthers;
        private TransactionalBatches transaction;

        Appends(ProduceAnswer answer, Acknowledgement acks, ProduceRequestData request, RequestContext context) {
            this.answer = answer;
            this.acks = acks;
            this.shardEpoch = ShardEpoch.of(request);
            this.context = context;
            this.timeout = Duration.ofMillis(Math.max(0, request.timeoutMs()));
            this.pending = new PendingProduce(mailboxes.of(context.loop()), waits, answer.response(), (wait,
                    failure) -> failed(wait.partition(), wait.topic(), wait.part(), failure));
            this.transactionalId = request.transactionalId();
            this.transaction = transactionalBatches();
            this.waiting = longChecks.of(context);
            this.behindOthers = longChecks.isUnderWay(context);
        }

        private TransactionalBatches transactionalBatches() {
            return new TransactionalBatches(checks, transactionalId, context, pending, timeout, this);
        }

        void append(TopicProduceData topic, PartitionProduceData sent) {
            var part = answer.part(topic, sent.index());
            Partition partition = null;
            try {
                partition = find(topic, sent.index());
                partition.meters().produceRequest();
                refuseInternal(partition.id().topic());
                var batch = SentBatch.of(sent.records(), context.version());
                var place = new ProducePart(partition, topic, part);
                var leaderLog = partition.asLeader().log(Partition.ANY_EPOCH);
                if (leaderLog.checksLong(new Batch(batch, batch.position()))) {
                    waiting.check(place, batch, leaderLog, shardEpoch.isPresent()
                            ? AppendOrigin.COORDINATOR
                            : AppendOrigin.CLIENT);
                } else if (behindOthers) {
                    waiting.queue(place, batch);
                } else {
                    decide(place, ProduceBatch.sent(batch));
                }
            } catch (RuntimeException failure) {
                failed(partition, topic, part, failure);
                var records = sent.records();
                if (partition != null && records != null) {
                    countRejected(partition, part, records.sizeInBytes());
                }
            }
        }

        private void decide(ProducePart place, ProduceBatch batch) {
            if (shardEpoch.isPresent()) {
                append(place, batch, Writer.shard(shardEpoch.get()));
                return;
            }
            var terms = transaction.termsOf(place, batch);
            if (terms != null) {
                append(place, batch, Writer.producer(terms));
            }
        }

        private static void countRejected(Partition partition, PartitionProduceResponse part, int bytes) {
            if (part.errorCode() == Errors.MESSAGE_TOO_LARGE.code()) {
                partition.meters().rejected(bytes);
            }
        }

        /// All batches of the request were looked at.
        void end() {
            transaction.ask();
            if (!waiting.isEmpty()) {
                pending.undecided();
                transaction = transactionalBatches();
                waiting.run(this::checked, () -> {
                    transaction.ask();
                    pending.decided();
                });
            }
        }

        private void checked(ProducePart place, int bytes, CompletableFuture<ProduceBatch> batch) {
            try {
                if (pending.expired()) {
                    throw new Refused(Errors.REQUEST_TIMED_OUT, place.partition().id() + " was checked too late");
                }
                decide(place, batch.join());
            } catch (RuntimeException failure) {
                failed(place.partition(), place.topic(), place.part(), failure);
                countRejected(place.partition(), place.part(), bytes);
            }
        }

        @Override
        public void append(ProducePart place, ProduceBatch batch, TransactionTerms terms) {
            append(place, batch, Writer.producer(terms));
        }

        @Override
        public void refuse(ProducePart place, RuntimeException reason) {
            failed(place.partition(), place.topic(), place.part(), reason);
        }

        private void append(ProducePart place, ProduceBatch batch, Writer writer) {
            var wait = waits(place.partition())
                    ? new PartWait(acks == Acknowledgement.ALL, pending, place.partition(), place.topic(), place
                            .part())
                    : null;
            ProduceAnswer.appended(place.part(), batch.appendTo(place.partition().asLeader(), wait, writer));
            if (wait != null && wait.joined()) {
                pending.add(wait);
            }
        }

        private boolean waits(Partition partition) {
            return switch (acks) {
                case ALL -> true;
                case LEADER -> partition.commitsInGroups();
                case NONE -> false;
            };
        }

        private Partition find(TopicProduceData topic, int partition) {
            return Uuid.ZERO_UUID.equals(topic.topicId())
                    ? partitions.find(topic.name(), partition)
                    : partitions.find(topic.topicId(), "", partition);
        }

        /// Only the owner of its shard writes to an internal topic, and says so.
        private void refuseInternal(String topic) {
            if (shardEpoch.isEmpty() && Topic.isInternal(topic) && !context.clientId().equals(ADMIN_CLIENT)) {
                throw new Refused(Errors.INVALID_TOPIC_EXCEPTION, "topic=" + topic + " is internal");
            }
        }

        private void failed(@Nullable Partition partition, TopicProduceData topic, PartitionProduceResponse part,
                Throwable failure) {
            var counted = answer.failed(topic, part, failure);
            if (partition == null) {
                metrics.produceRefused();
            } else if (counted != null) {
                partition.meters().produceFailed();
            }
        }
    }
}
