package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

import io.millrace.base.loop.Deadline;
import io.millrace.metadata.image.ShardKind;
import io.millrace.tests.history.Outcome;
import io.millrace.tests.history.Transaction;
import io.millrace.tests.history.Writing;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/// A producer with a transactional id, of transaction version 2: one record after the other, each sent again until its fate is
/// known, then the end of the transaction, asked for again until it is told. Where that does not come to anything it begins
/// anew, which fences what is still on its way of it.
final class TransactionalProducer {
    private static final Duration PATIENCE = Duration.ofSeconds(6);
    private static final int TIMEOUT_MILLIS = 3_000;
    private static final int PRODUCE_TIMEOUT_MILLIS = 1_500;
    private static final int MOST_RECORDS = 4;

    private final SimulatedClient client;
    private final SplittableRandom random;
    private final String name;
    private final int number;
    private final List<PartitionKey> partitions;
    private final Runnable onEnd;
    private final List<Transaction> transactions = new ArrayList<>();
    private final Map<Integer, Integer> sequences = new HashMap<>();
    private final List<Transaction.Part> records = new ArrayList<>();
    private long producerId;
    private short epoch;
    private int lastRecord;
    private int left;
    private boolean commitAsked;
    private boolean stopped;
    /// Of what it waits for now: an answer to anything before does not count.
    private int step;
    private Deadline patience;

    /// @param number no other producer's
    /// @param onEnd called when an end is asked for
    TransactionalProducer(SimulatedClient client, int number, List<PartitionKey> partitions, Runnable onEnd) {
        this.client = client;
        this.number = number;
        this.partitions = partitions;
        this.onEnd = onEnd;
        name = name(number);
        random = client.world().random().split();
        patience = patience();
    }

    /// As histories call it.
    static String name(int number) {
        return "producer-" + number;
    }

    private Deadline patience() {
        return Deadline.in(PATIENCE, client.world().loop().ticker());
    }

    void start() {
        client.later(500, this::init);
    }

    /// It ends the transaction in hand, and begins no other.
    void stop() {
        stopped = true;
    }

    List<Transaction> transactions() {
        return transactions;
    }

    long committed() {
        return transactions.stream().filter(it -> it.outcome() == Outcome.COMMITTED).count();
    }

    private void init() {
        step++;
        patience = patience();
        askInit();
    }

    private void askInit() {
        var request = new InitProducerIdRequestData().setTransactionalId(name).setTransactionTimeoutMs(TIMEOUT_MILLIS)
                .setProducerId(-1).setProducerEpoch((short) -1);
        this.<InitProducerIdResponseData>askCoordinator(request, answer -> {
            if (answer.errorCode() == Errors.NONE.code()) {
                producerId = answer.producerId();
                epoch = answer.producerEpoch();
                later(200, this::begin);
            } else {
                later(150, this::askInit);
            }
        }, this::askInit);
    }

    private void begin() {
        if (stopped) {
            return;
        }
        records.clear();
        sequences.clear();
        commitAsked = false;
        left = 1 + random.nextInt(MOST_RECORDS);
        next();
    }

    private void next() {
        step++;
        patience = patience();
        if (left-- > 0) {
            int partition = random.nextInt(partitions.size());
            int record = lastRecord++;
            records.add(new Transaction.Part(partition, record, Writing.UNTOLD));
            send(partition, record);
        } else if (random.nextInt(20) == 0) {
            // Longer than the transaction may take, perhaps.
            later(2 * TIMEOUT_MILLIS, this::chooseEnd);
        } else {
            chooseEnd();
        }
    }

    private void chooseEnd() {
        boolean commit = random.nextInt(4) > 0;
        commitAsked = commit;
        step++;
        patience = patience();
        onEnd.run();
        end(commit);
    }

    private void send(int partition, int record) {
        var key = partitions.get(partition);
        var known = client.find(key);
        if (known == null || !known.hasLeader()) {
            again(() -> send(partition, record));
            return;
        }
        int sequence = sequences.getOrDefault(partition, 0);
        var data = new PartitionProduceData().setIndex(key.partition())
                .setRecords(Batches.inTransaction(CommittedLog.value(number, record), client.world().loop().clock()
                        .millis(), producerId, epoch, sequence));
        var topics = new TopicProduceDataCollection();
        var topicId = key.topicId();
        var topic = new TopicProduceData().setTopicId(new Uuid(topicId.getMostSignificantBits(), topicId
                .getLeastSignificantBits()));
        topic.partitionData().add(data);
        topics.add(topic);
        int mine = step;
        var request = new ProduceRequestData().setTransactionalId(name).setAcks((short) -1)
                .setTimeoutMs(PRODUCE_TIMEOUT_MILLIS).setTopicData(topics);
        client.<ProduceResponseData>ask(known.leader(), request, answer -> {
            if (mine == step) {
                written(partition, record, Errors.forCode(answer.responses().iterator().next().partitionResponses()
                        .getFirst().errorCode()));
            }
        }, () -> {
            if (mine == step) {
                again(() -> send(partition, record));
            }
        });
    }

    private void written(int partition, int record, Errors error) {
        switch (error) {
            case NONE, DUPLICATE_SEQUENCE_NUMBER -> {
                sequences.merge(partition, 1, Integer::sum);
                later(60, this::next);
            }
            // All that it does is in order: only what others do can keep it from going on.
            case INVALID_TXN_STATE -> throw new Violation(name + " epoch=" + epoch + " sends in no valid state");
            case INVALID_PRODUCER_EPOCH, PRODUCER_FENCED, INVALID_PRODUCER_ID_MAPPING, TRANSACTION_ABORTABLE,
                    OUT_OF_ORDER_SEQUENCE_NUMBER, UNKNOWN_PRODUCER_ID ->
                giveUp(Outcome.ABORTED);
            default -> again(() -> send(partition, record));
        }
    }

    private void end(boolean commit) {
        var request = new EndTxnRequestData().setTransactionalId(name).setProducerId(producerId).setProducerEpoch(epoch)
                .setCommitted(commit);
        this.<EndTxnResponseData>askCoordinator(request, answer -> ended(commit, answer), () -> end(commit));
    }

    private void ended(boolean commit, EndTxnResponseData answer) {
        switch (Errors.forCode(answer.errorCode())) {
            case NONE -> {
                producerId = answer.producerId();
                epoch = answer.producerEpoch();
                record(commit ? Outcome.COMMITTED : Outcome.ABORTED);
                later(100, this::begin);
            }
            case INVALID_TXN_STATE -> throw new Violation(name + " epoch=" + epoch + " ends in no valid state");
            case INVALID_PRODUCER_EPOCH, PRODUCER_FENCED, INVALID_PRODUCER_ID_MAPPING -> giveUp(unknown());
            default -> again(() -> end(commit));
        }
    }

    private Outcome unknown() {
        return commitAsked ? Outcome.UNKNOWN : Outcome.ABORTED;
    }

    private void record(Outcome outcome) {
        client.world().trace().say("%s epoch=%d %s %s", name, epoch, outcome, records);
        client.world().trace().happened(outcome.name());
        transactions.add(new Transaction(name, outcome, records));
    }

    private void giveUp(Outcome outcome) {
        record(outcome);
        step++;
        if (!stopped) {
            later(300, this::init);
        }
    }

    private <A extends ApiMessage> void askCoordinator(ApiMessage request, Consumer<A> onAnswer, Runnable retry) {
        int mine = step;
        coordinator().ifPresentOrElse(host -> client.<A>ask(host, request, answer -> {
            if (mine == step) {
                onAnswer.accept(answer);
            }
        }, () -> {
            if (mine == step) {
                again(retry);
            }
        }), () -> again(retry));
    }

    private Optional<String> coordinator() {
        var image = client.image();
        return image.shardOf(ShardKind.TRANSACTION, name).flatMap(shard -> image.coordinator(shard.owner()))
                .map(node -> node.endpoints().getFirst().host());
    }

    private void again(Runnable what) {
        client.refresh();
        if (patience.passed() && !records.isEmpty()) {
            giveUp(unknown());
            records.clear();
        } else {
            later(150, what);
        }
    }

    private void later(int mostMillis, Runnable task) {
        int mine = step;
        client.later(mostMillis, () -> {
            if (mine == step) {
                task.run();
            }
        });
    }
}
