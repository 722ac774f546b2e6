package io.millrace.admin.upstream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.ShardKind;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.Errors;

/// Transactions, asked of the coordinators that own their ids.
@Slf4j
public final class Transactions {
    private static final String ONGOING = "Ongoing";
    private static final String PREPARE_ABORT = "PrepareAbort";
    private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

    private final Cluster cluster;

    /// @param cluster where the coordinators are
    public Transactions(Cluster cluster) {
        this.cluster = cluster;
    }

    /// A transaction and the coordinator that owns its id.
    public record Owned(TransactionState transaction, int coordinator) {}

    /// Every transaction of every coordinator that answers, by id: one dead coordinator does not empty the answer.
    public List<Owned> list() {
        return list((coordinator, failure) -> log.warn("event=list-transactions-failed coordinator={} cause=\"{}\"",
                coordinator, failure.toString()));
    }

    /// Every transaction there is, by id.
    ///
    /// @throws Problem where some may be missing, since a coordinator does not answer or a shard has none
    public List<Owned> listAll() {
        var image = cluster.image();
        var shards = image.shards(ShardKind.TRANSACTION);
        int count = image.topic(ShardKind.TRANSACTION.topic()).map(topic -> topic.partitions().size()).orElse(0);
        for (int shard = 0; shard < count; shard++) {
            if (shards.shard(shard).flatMap(found -> image.coordinator(found.owner())).isEmpty()) {
                throw KafkaProblems.problem(Errors.COORDINATOR_NOT_AVAILABLE, "Nobody coordinates shard " + shard
                        + " of the transactions now.");
            }
        }
        return list((coordinator, failure) -> {
            throw KafkaProblems.problem(Errors.COORDINATOR_NOT_AVAILABLE, "Coordinator " + coordinator
                    + " does not tell its transactions now: " + failure.getMessage());
        });
    }

    private List<Owned> list(BiConsumer<Integer, RuntimeException> onFailure) {
        var answers = new TreeMap<Integer, CompletableFuture<DescribeTransactionsResponseData>>();
        for (var coordinator : cluster.image().liveCoordinators()) {
            answers.put(coordinator.id(), describeAll(coordinator));
        }
        var transactions = new ArrayList<Owned>();
        answers.forEach((coordinator, answer) -> {
            List<TransactionState> states;
            try {
                states = Cluster.join(answer).transactionStates();
            } catch (RuntimeException failure) {
                onFailure.accept(coordinator, failure);
                return;
            }
            for (var state : states) {
                switch (Errors.forCode(state.errorCode())) {
                    case NONE -> transactions.add(new Owned(state, coordinator));
                    case TRANSACTIONAL_ID_NOT_FOUND -> {
                        // Forgotten since it was listed.
                    }
                    default -> onFailure.accept(coordinator, KafkaProblems.problem(Errors.forCode(state.errorCode()),
                            null));
                }
            }
        });
        transactions.sort(Comparator.comparing(owned -> owned.transaction().transactionalId()));
        return transactions;
    }

    private CompletableFuture<DescribeTransactionsResponseData> describeAll(NodeImage coordinator) {
        return cluster.<ListTransactionsResponseData>ask(coordinator, new ListTransactionsRequestData())
                .thenCompose(listed -> {
                    KafkaProblems.check(listed.errorCode(), null);
                    var ids = listed.transactionStates().stream().map(state -> state.transactionalId()).toList();
                    return ids.isEmpty()
                            ? CompletableFuture.completedFuture(new DescribeTransactionsResponseData())
                            : cluster.ask(coordinator, new DescribeTransactionsRequestData().setTransactionalIds(ids));
                });
    }

    /// @throws Problem where that id is not known
    public Owned describe(String transactionalId) {
        var coordinator = coordinator(transactionalId);
        var state = Cluster.join(cluster.<DescribeTransactionsResponseData>ask(coordinator,
                new DescribeTransactionsRequestData().setTransactionalIds(List.of(transactionalId))))
                .transactionStates().getFirst();
        if (state.errorCode() == Errors.TRANSACTIONAL_ID_NOT_FOUND.code()) {
            throw Problem.notFound("Transactional id " + transactionalId + " cannot be found.");
        }
        KafkaProblems.check(state.errorCode(), null);
        return new Owned(state, coordinator.id());
    }

    /// The transaction of that id, which is open.
    ///
    /// @throws Problem where none is open
    public Owned open(String transactionalId) {
        var owned = describe(transactionalId);
        if (!owned.transaction().transactionState().equals(ONGOING)) {
            throw Problem.conflict("Transaction " + transactionalId + " is not open but "
                    + owned.transaction().transactionState() + ".");
        }
        return owned;
    }

    /// Aborts a transaction that is open, and fences its producer. Waits until it is complete: until every partition has its
    /// marker. Where that takes too long the abort is decided all the same, and goes on by itself.
    ///
    /// @param atMost the longest that this waits
    public void abort(Owned open, Duration atMost) {
        var id = open.transaction().transactionalId();
        var answer = Cluster.join(cluster.<InitProducerIdResponseData>ask(coordinator(id),
                new InitProducerIdRequestData().setTransactionalId(id)
                        .setTransactionTimeoutMs(open.transaction().transactionTimeoutMs())));
        // The abort is decided; only its markers take their time.
        if (answer.errorCode() != Errors.CONCURRENT_TRANSACTIONS.code()) {
            KafkaProblems.check(answer.errorCode(), null);
        }
        long deadline = System.nanoTime() + atMost.toNanos();
        while (isEnding(id) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    private boolean isEnding(String transactionalId) {
        try {
            return describe(transactionalId).transaction().transactionState().equals(PREPARE_ABORT);
        } catch (Problem unknown) {
            log.debug("event=abort-unwatched transactionalId={} cause=\"{}\"", transactionalId, unknown.toString());
            return true;
        }
    }

    private NodeImage coordinator(String transactionalId) {
        var image = cluster.image();
        if (image.topic(ShardKind.TRANSACTION.topic()).isEmpty()) {
            throw Problem.notFound("Transactional id " + transactionalId + " cannot be found.");
        }
        return image.shardOf(ShardKind.TRANSACTION, transactionalId)
                .flatMap(shard -> image.coordinator(shard.owner()))
                .orElseThrow(() -> KafkaProblems.problem(Errors.COORDINATOR_NOT_AVAILABLE, null));
    }
}
