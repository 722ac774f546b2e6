package io.millrace.broker.produce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

import io.millrace.broker.transaction.CoordinatorAnswer;
import io.millrace.broker.transaction.ProduceErrors;
import io.millrace.broker.transaction.Question;
import io.millrace.broker.transaction.TransactionChecks;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.producer.TransactionLeave;
import io.millrace.log.producer.TransactionTerms;
import io.millrace.log.producer.TransactionTerms.Verified;
import io.millrace.wire.api.CoordinatorEpoch;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The batches of one request with which a transaction may begin in their partitions: they are kept until the coordinator said
/// whether it has these partitions (KIP-890). On the connection's event loop.
@Slf4j
final class TransactionalBatches {
    private static final int MOST_ROUNDS = 3;

    private final TransactionChecks checks;
    private final @Nullable String transactionalId;
    private final RequestContext context;
    private final PendingProduce pending;
    private final Duration timeout;
    private final Decided decided;
    private final List<Kept> kept = new ArrayList<>(0);
    private long producerId = Batch.NO_PRODUCER_ID;
    private short producerEpoch;
    private int rounds;
    private boolean waits;

    /// What becomes of batches that were kept.
    interface Decided {
        /// Appends one now.
        ///
        /// @throws RuntimeException why that cannot be
        void append(ProducePart place, ProduceBatch batch, TransactionTerms terms);

        /// One is not to be appended.
        void refuse(ProducePart place, RuntimeException reason);
    }

    private record Kept(ProducePart place, ProduceBatch batch, @Nullable TransactionLeave leave) {
        TopicPartition partition() {
            var id = place.partition().id();
            return new TopicPartition(id.topic(), id.partition());
        }
    }

    /// @param transactionalId of the request; null where it has none
    TransactionalBatches(TransactionChecks checks, @Nullable String transactionalId, RequestContext context,
            PendingProduce pending, Duration timeout, Decided decided) {
        this.checks = checks;
        this.transactionalId = transactionalId;
        this.context = context;
        this.pending = pending;
        this.timeout = timeout;
        this.decided = decided;
    }

    /// On which terms `batch` may be appended at once; null where that is to be asked, and the batch was kept.
    ///
    /// @param batch one batch of a producer; copied where it is kept
    @Nullable
    TransactionTerms termsOf(ProducePart place, ProduceBatch batch) {
        var header = batch.header();
        // A marker is refused as such with the rest of what clients must not send.
        if (!header.isTransactional() || header.isControl()) {
            return TransactionTerms.FREE;
        }
        if (transactionalId == null) {
            throw new Refused(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
                    "a transactional batch in a request without a transactional id");
        }
        if (!adds() && !checks.verifies()) {
            return TransactionTerms.FREE;
        }
        if (checks.turns().isTaken(header.producerId())) {
            waits = true;
            keep(place, header, batch, null);
            return null;
        }
        var leave = leaveFor(place, header);
        if (leave == null) {
            return new Verified(null);
        }
        keep(place, header, batch, leave);
        return null;
    }

    /// In transactions v2 each one has an epoch of its own, and begins with sequence 0.
    private @Nullable TransactionLeave leaveFor(ProducePart place, Batch header) {
        return place.partition().asLeader().leave(header.producerId(), header.producerEpoch(), adds()
                ? 0
                : header
                        .baseSequence());
    }

    private boolean adds() {
        return context.version() >= ProduceErrors.FIRST_VERSION_THAT_ADDS;
    }

    private void keep(ProducePart place, Batch header, ProduceBatch batch, @Nullable TransactionLeave leave) {
        if (kept.isEmpty()) {
            producerId = header.producerId();
            producerEpoch = header.producerEpoch();
        } else if (producerId != header.producerId() || producerEpoch != header.producerEpoch()) {
            throw new Refused(Errors.INVALID_PRODUCER_ID_MAPPING, "one transaction has one producer, not %d and %d"
                    .formatted(producerId, header.producerId()));
        }
        if (!checks.keep(batch.sizeBytes())) {
            throw new Refused(Errors.NOT_ENOUGH_REPLICAS, "too much waits for the coordinators of transactions");
        }
        kept.add(new Kept(place, batch.kept(), leave));
    }

    /// Asks about those that were kept, once what came before of the same producer is decided; before [PendingProduce#await].
    void ask() {
        if (kept.isEmpty() || transactionalId == null) {
            return;
        }
        pending.undecided();
        checks.turns().take(producerId, context.loop(), this::begin);
    }

    /// What had to wait may find its transaction open by now.
    private void begin() {
        if (waits) {
            kept.replaceAll(this::withNewLeave);
            kept.removeIf(each -> each.leave == null && settled(each, new CoordinatorAnswer(Map.of(each.partition(),
                    Errors.NONE), CoordinatorEpoch.NOT_TOLD)));
        }
        goOn();
    }

    private void goOn() {
        if (kept.isEmpty()) {
            pending.decided();
            checks.turns().end(producerId);
        } else {
            check();
        }
    }

    private void check() {
        if (transactionalId == null) {
            return;
        }
        var partitions = new LinkedHashSet<TopicPartition>();
        kept.forEach(each -> partitions.add(each.partition()));
        checks.ask(new Question(transactionalId, producerId, producerEpoch, adds(), partitions), timeout, context
                .loop()).thenAccept(this::answered);
    }

    private void answered(CoordinatorAnswer said) {
        rounds++;
        kept.removeIf(each -> settled(each, said));
        kept.replaceAll(this::withNewLeave);
        goOn();
    }

    /// Where a marker came since it was asked, nobody knows which transaction was meant, the one that it ended or the next:
    /// it is asked again.
    private boolean settled(Kept batch, CoordinatorAnswer said) {
        try {
            var refusal = refusal(batch, said.errors());
            if (refusal != null) {
                throw refusal;
            }
            decided.append(batch.place, batch.batch, new Verified(batch.leave, said.coordinatorEpoch()));
        } catch (LogRefused refused) {
            log.debug("batch refused partition={} transactionalId={} round={} leave={} reason=\"{}\"", batch
                    .partition(),
                    transactionalId, rounds, batch.leave, refused.getMessage());
            if (refused.error() == Errors.INVALID_TXN_STATE && rounds < MOST_ROUNDS) {
                return false;
            }
            decided.refuse(batch.place, told(refused));
        } catch (RuntimeException failure) {
            decided.refuse(batch.place, failure);
        }
        checks.kept(batch.batch.sizeBytes());
        return true;
    }

    /// It was not the coordinator that spoke: the producer sends again, and by then the one that is may be known here.
    private RuntimeException told(LogRefused refused) {
        return refused.error() == Errors.TRANSACTION_COORDINATOR_FENCED
                ? new Refused(ProduceErrors.of(Errors.NOT_COORDINATOR, context.version()), String.valueOf(refused
                        .getMessage()))
                : refused;
    }

    private Kept withNewLeave(Kept batch) {
        try {
            return new Kept(batch.place, batch.batch, leaveFor(batch.place, batch.batch.header()));
        } catch (RuntimeException _) {
            // What keeps it from being given keeps the batch from being appended, and is told then.
            return batch;
        }
    }

    /// Whether no batch of this producer and epoch will be taken under that transactional id.
    private static boolean isForGood(Errors word) {
        return switch (word) {
            case PRODUCER_FENCED, INVALID_PRODUCER_EPOCH, INVALID_PRODUCER_ID_MAPPING -> true;
            default -> false;
        };
    }

    private @Nullable Refused refusal(Kept batch, Map<TopicPartition, Errors> said) {
        if (pending.expired()) {
            return new Refused(Errors.REQUEST_TIMED_OUT, batch.partition() + " the coordinator has not answered");
        }
        var word = said.getOrDefault(batch.partition(), Errors.UNKNOWN_SERVER_ERROR);
        if (word == Errors.NONE) {
            return null;
        }
        if (batch.leave != null && isForGood(word)) {
            batch.place.partition().asLeader().withdraw(producerId, batch.leave);
        }
        return new Refused(ProduceErrors.of(word, context.version()), "%s the coordinator of transaction %s says %s"
                .formatted(batch.partition(), transactionalId, word));
    }
}
