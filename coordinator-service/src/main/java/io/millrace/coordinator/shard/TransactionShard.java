package io.millrace.coordinator.shard;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.millrace.base.loop.Loop;
import io.millrace.coordinator.marker.Markers;
import io.millrace.coordinator.record.EncodedRecord;
import io.millrace.coordinator.record.TransactionRecord;
import io.millrace.coordinator.record.TransactionRecord.TransactionRemoved;
import io.millrace.coordinator.record.TransactionRecordCodec;
import io.millrace.coordinator.storage.Stored;
import io.millrace.coordinator.storage.StoredRecord;
import io.millrace.coordinator.transaction.Transaction;
import io.millrace.coordinator.transaction.TransactionEvent;
import io.millrace.metadata.image.ShardKind;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The transactional ids of a shard, on its loop: all methods are called there.
///
/// The end of a transaction is decided by the record that prepares it: from then on markers are sent until all are there,
/// by this owner of the shard or a later one. That it is complete counts at once, and is written behind: should that record
/// get lost, a later owner only sends markers once more that change nothing.
public final class TransactionShard implements ShardContents {
    /// Changes nothing: the tombstone of an id with an empty name.
    static final TransactionRecord MARK = new TransactionRemoved("");

    private final Loop loop;
    private final int epoch;
    private final int maxTimeoutMillis;
    private final TransactionTable table;
    private final AppendQueue<TransactionRecord> appends;
    private final TransactionChanges changes;
    private final TransactionAsks asks;
    private final TransactionUpkeep upkeep;

    /// What transactions need from elsewhere.
    ///
    /// @param producerIds gives one that nobody has, on any thread
    public record Outside(Markers markers, Supplier<CompletableFuture<Long>> producerIds,
            TransactionMetrics metrics) {}

    private TransactionShard(TransactionSettings settings, Outside outside, ShardPlace place) {
        loop = place.loop();
        epoch = place.epoch();
        maxTimeoutMillis = settings.maxTimeoutMillis();
        table = new TransactionTable(outside.metrics());
        appends = place.appends(TransactionRecordCodec::encode);
        changes = new TransactionChanges(place, outside, table, appends);
        asks = new TransactionAsks(place, settings.patience(), outside, table, changes);
        upkeep = new TransactionUpkeep(place, settings, outside.metrics(), table, changes);
    }

    /// Shards of transactions.
    public static ShardType<TransactionShard> type(TransactionSettings settings, Outside outside) {
        return new ShardType<>() {
            @Override
            public ShardKind kind() {
                return ShardKind.TRANSACTION;
            }

            @Override
            public EncodedRecord mark() {
                return TransactionRecordCodec.encode(MARK);
            }

            @Override
            public TransactionShard create(ShardPlace place) {
                return new TransactionShard(settings, outside, place);
            }
        };
    }

    @Override
    public void replay(Stored entry) {
        if (entry instanceof StoredRecord record && record.key() != null) {
            TransactionRecordCodec.decode(record.key(), record.value()).ifPresent(table::replay);
        }
    }

    @Override
    public void start() {
        table.all().forEach(changes::sendMarkers);
        upkeep.start();
    }

    @Override
    public void topicsDeleted(Set<String> topics) {
        // Markers for them count as written: see the sender.
    }

    @Override
    public void close() {
        upkeep.close();
        appends.close(Errors.NOT_COORDINATOR);
        changes.close();
    }

    /// A producer begins.
    ///
    /// @param expectedId what it had before, -1 for none
    /// @param expectedEpoch the same
    public CompletableFuture<TransactionAnswer> init(String transactionalId, int timeoutMillis, long expectedId,
            short expectedEpoch) {
        return timeoutMillis <= 0 || timeoutMillis > maxTimeoutMillis
                ? CompletableFuture.completedFuture(TransactionAnswer.refused(Errors.INVALID_TRANSACTION_TIMEOUT))
                : asks.ask(transactionalId, new TransactionEvent.Init(timeoutMillis, expectedId, expectedEpoch,
                        Transaction.NO_ID));
    }

    /// Partitions are about to be written.
    ///
    /// @param version transaction version that the client speaks
    public CompletableFuture<TransactionAnswer> add(String transactionalId, long producerId, short epoch,
            Set<TopicPartition> partitions, short version) {
        return asks.ask(transactionalId, new TransactionEvent.Add(producerId, epoch, partitions, version));
    }

    /// In which this process owns the shard.
    public int epoch() {
        return epoch;
    }

    /// Whether those partitions are part of that producer's transaction.
    public CompletableFuture<Map<TopicPartition, Errors>> verify(String transactionalId, long producerId, short epoch,
            Set<TopicPartition> partitions) {
        return asks.verify(transactionalId, producerId, epoch, partitions);
    }

    /// The producer ends its transaction. Answered once that is decided for good; markers follow.
    ///
    /// @param version transaction version that the client speaks
    public CompletableFuture<TransactionAnswer> end(String transactionalId, long producerId, short epoch,
            boolean commit, short version) {
        return asks.ask(transactionalId, new TransactionEvent.End(producerId, epoch, commit, version,
                Transaction.NO_ID));
    }

    /// What is stored of that id; null where it is not known.
    public @Nullable Transaction find(String transactionalId) {
        loop.assertInLoop();
        return table.find(transactionalId).map(TransactionSlot::now).orElse(null);
    }

    /// The ids whose transaction matches.
    public List<ListTransactionsResponseData.TransactionState> list(Predicate<String> ids,
            Predicate<Transaction> which) {
        loop.assertInLoop();
        return table.all().stream().filter(slot -> ids.test(slot.transactionalId())).flatMap(slot -> {
            var now = slot.now();
            return now == null || !which.test(now)
                    ? Stream.empty()
                    : Stream.of(new ListTransactionsResponseData.TransactionState()
                            .setTransactionalId(slot.transactionalId()).setProducerId(now.producerId())
                            .setTransactionState(now.state().label()));
        }).toList();
    }
}
