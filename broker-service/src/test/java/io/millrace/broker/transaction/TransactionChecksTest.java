package io.millrace.broker.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Deadline;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.wire.client.NodeAddress;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnPartitionResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResult;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransactionChecksTest {
    private static final NodeAddress COORDINATOR = new NodeAddress("c", 1);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final SimulatedLoop loop = new SimulatedLoop();
    private final Channel channel = new Channel();
    private final TransactionChecks checks = new TransactionChecks(channel, () -> true, loop.ticker(),
            new SimpleMeterRegistry());

    /// Answers when the test says so.
    private static final class Channel implements CoordinatorChannel {
        private final List<AddPartitionsToTxnRequestData> requests = new ArrayList<>();
        private final List<CompletableFuture<AddPartitionsToTxnResponseData>> answers = new ArrayList<>();
        private Optional<NodeAddress> coordinator = Optional.of(COORDINATOR);
        private @Nullable RuntimeException broken;
        private boolean atOnce;

        @Override
        public Optional<NodeAddress> coordinatorOf(String transactionalId) {
            return coordinator;
        }

        @Override
        public CompletableFuture<AddPartitionsToTxnResponseData> ask(NodeAddress node,
                AddPartitionsToTxnRequestData request, Duration timeout) {
            var answer = new CompletableFuture<AddPartitionsToTxnResponseData>();
            if (broken != null) {
                throw broken;
            }
            requests.add(request);
            answers.add(answer);
            if (atOnce) {
                answer(requests.size() - 1, Errors.NONE);
            }
            return answer;
        }

        private void answer(int request, Errors error) {
            var response = new AddPartitionsToTxnResponseData();
            for (var transaction : requests.get(request).transactions()) {
                var result = new AddPartitionsToTxnResult().setTransactionalId(transaction.transactionalId());
                for (var topic : transaction.topics()) {
                    var told = new AddPartitionsToTxnTopicResult().setName(topic.name());
                    topic.partitions()
                            .forEach(partition -> told.resultsByPartition()
                                    .add(new AddPartitionsToTxnPartitionResult().setPartitionIndex(partition)
                                            .setPartitionErrorCode(error.code())));
                    result.topicResults().add(told);
                }
                response.resultsByTransaction().add(result);
            }
            answers.get(request).complete(response);
        }

        @Override
        public CompletableFuture<WriteTxnMarkersResponseData> end(int partition, WriteTxnMarkersRequestData request,
                Duration timeout) {
            return CoordinatorChannel.NONE.end(partition, request, timeout);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private static Question question(String id, int epoch, boolean adds, int... partitions) {
        var asked = new HashMap<TopicPartition, Integer>();
        IntStream.of(partitions).forEach(partition -> asked.put(new TopicPartition("t", partition), partition));
        return new Question(id, 7, (short) epoch, adds, Set.copyOf(asked.keySet()));
    }

    private CompletableFuture<CoordinatorAnswer> ask(Question question) {
        var answer = checks.ask(question, TIMEOUT, loop);
        loop.runPending();
        return answer;
    }

    private static Errors error(CompletableFuture<CoordinatorAnswer> answer) {
        assertThat(answer).isCompleted();
        return answer.join().errors().values().iterator().next();
    }

    @Test
    void whatComesWhileARequestIsUnderWayGoesTogetherWithTheNext() {
        var first = ask(question("a", 0, false, 0));
        var second = ask(question("b", 0, false, 0));
        var third = ask(question("b", 0, false, 0, 1));
        assertThat(channel.requests).hasSize(1);

        channel.answer(0, Errors.NONE);
        loop.runPending();
        assertThat(error(first)).isEqualTo(Errors.NONE);
        assertThat(channel.requests).hasSize(2);
        assertThat(channel.requests.get(1).transactions()).singleElement().satisfies(transaction -> assertThat(
                transaction.topics().iterator().next().partitions()).containsExactlyInAnyOrder(0, 1));

        channel.answer(1, Errors.INVALID_TXN_STATE);
        loop.runPending();
        assertThat(error(second)).isEqualTo(Errors.INVALID_TXN_STATE);
        assertThat(third.join().errors()).hasSize(2).doesNotContainValue(Errors.NONE);
    }

    @Test
    void twoEpochsOfOneIdGoOneAfterTheOtherAndInOrder() {
        ask(question("other", 0, false, 0));
        ask(question("a", 0, false, 0));
        ask(question("a", 1, false, 0));
        ask(question("a", 0, false, 1));

        channel.answer(0, Errors.NONE);
        channel.answer(1, Errors.NONE);
        channel.answer(2, Errors.NONE);
        channel.answer(3, Errors.NONE);

        assertThat(channel.requests).extracting(request -> (int) request.transactions().iterator().next()
                .producerEpoch()).containsExactly(0, 0, 1, 0);
    }

    @Test
    void whoeverAsksIsNotKeptBeyondTheTimeByACoordinatorThatHangs() {
        var sent = ask(question("a", 0, false, 0));
        var queued = ask(question("b", 0, false, 0));

        loop.advance(TIMEOUT);

        assertThat(error(sent)).isEqualTo(Errors.REQUEST_TIMED_OUT);
        assertThat(error(queued)).isEqualTo(Errors.REQUEST_TIMED_OUT);
        channel.answer(0, Errors.NONE);
        assertThat(channel.requests).as("nobody waits for the second one").hasSize(1);
    }

    @Test
    void aCoordinatorThatIsNotThereOrNotReachedIsNotAvailable() {
        channel.coordinator = Optional.empty();
        assertThat(error(ask(question("a", 0, false, 0)))).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);

        channel.coordinator = Optional.of(COORDINATOR);
        var broken = ask(question("a", 0, false, 0));
        channel.answers.getFirst().completeExceptionally(new IOException("gone"));
        loop.runPending();
        assertThat(error(broken)).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
    }

    @Test
    void partitionsAreAddedOnceTheTransactionBeforeIsOverButNotForeverWaitedFor() {
        var patient = ask(question("a", 0, true, 0));
        channel.answer(0, Errors.CONCURRENT_TRANSACTIONS);
        loop.advance(Duration.ofMillis(20));
        channel.answer(1, Errors.NONE);
        loop.runPending();
        assertThat(error(patient)).isEqualTo(Errors.NONE);

        var given = ask(question("a", 1, true, 0));
        while (!given.isDone()) {
            channel.answer(channel.requests.size() - 1, Errors.CONCURRENT_TRANSACTIONS);
            loop.advance(Duration.ofMillis(10));
        }
        assertThat(error(given)).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
        assertThat(channel.requests.size()).isLessThan(30);

        var verified = ask(question("a", 2, false, 0));
        channel.answer(channel.requests.size() - 1, Errors.CONCURRENT_TRANSACTIONS);
        loop.runPending();
        assertThat(error(verified)).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
    }

    @Test
    void aChannelThatBreaksIsAnAnswerAndTheNextQuestionIsAskedAgain() {
        channel.broken = new IllegalStateException("planted");
        assertThat(error(ask(question("a", 0, false, 0)))).isEqualTo(Errors.UNKNOWN_SERVER_ERROR);

        channel.broken = null;
        var next = ask(question("a", 0, false, 0));
        channel.answer(0, Errors.NONE);
        loop.runPending();
        assertThat(error(next)).isEqualTo(Errors.NONE);
    }

    @Test
    void answersThatComeAtOnceAreNoRecursion() {
        ask(question("a", 0, false, 0));
        var waiting = new ArrayList<CompletableFuture<CoordinatorAnswer>>();
        for (int i = 1; i < 10_000; i++) { // none of which goes with the one before
            waiting.add(checks.ask(question("a", i % 2, false, 0), TIMEOUT, loop));
        }
        channel.atOnce = true;

        channel.answer(0, Errors.NONE);
        loop.runPending();

        assertThat(waiting).allSatisfy(answer -> assertThat(error(answer)).isEqualTo(Errors.NONE));
    }

    @Test
    void nothingIsKeptOfACoordinatorThatNobodyAsks() {
        var queues = new QuestionQueues(channel);
        var deadline = Deadline.in(TIMEOUT, loop.ticker());
        for (int port = 1; port <= 3; port++) {
            queues.ask(new NodeAddress("c", port), question("a", 0, false, 0), deadline);
            queues.ask(new NodeAddress("c", port), question("a", 1, false, 0), deadline);
        }
        assertThat(queues.size()).isEqualTo(3);

        for (int answered = 0; answered < 6; answered++) {
            channel.answer(answered, Errors.NONE);
        }
        assertThat(queues.size()).isZero();

        var again = queues.ask(COORDINATOR, question("a", 0, false, 0), deadline);
        channel.answer(6, Errors.NONE);
        assertThat(error(again)).isEqualTo(Errors.NONE);
    }

    @Test
    void anAnswerThatDoesNotSpeakOfAPartitionIsNone() {
        var answer = ask(question("a", 0, false, 0));

        channel.answers.getFirst().complete(new AddPartitionsToTxnResponseData());
        loop.runPending();

        assertThat(error(answer)).isEqualTo(Errors.UNKNOWN_SERVER_ERROR);
        var whole = ask(question("a", 0, false, 0));
        channel.answers.getLast().complete(new AddPartitionsToTxnResponseData().setErrorCode(Errors.NOT_COORDINATOR
                .code()));
        loop.runPending();
        assertThat(error(whole)).isEqualTo(Errors.NOT_COORDINATOR);
    }

    @Test
    void roomForWhatIsKeptIsBoundedAndGivenBack() {
        int most = 128 << 20;
        assertThat(checks.keep(most)).isTrue();
        assertThat(checks.keep(1)).isFalse();
        checks.kept(most);
        assertThat(checks.keep(1)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"NONE,9,NONE", "TRANSACTION_ABORTABLE,10,INVALID_TXN_STATE",
            "TRANSACTION_ABORTABLE,11,TRANSACTION_ABORTABLE", "INVALID_TXN_STATE,12,INVALID_TXN_STATE",
            "REQUEST_TIMED_OUT,12,NOT_ENOUGH_REPLICAS", "COORDINATOR_NOT_AVAILABLE,9,NOT_ENOUGH_REPLICAS",
            "CONCURRENT_TRANSACTIONS,11,NOT_ENOUGH_REPLICAS", "CONCURRENT_TRANSACTIONS,12,CONCURRENT_TRANSACTIONS",
            "PRODUCER_FENCED,12,INVALID_PRODUCER_EPOCH"})
    void producersAreToldWhatTheirVersionKnows(Errors said, short version, Errors told) {
        assertThat(ProduceErrors.of(said, version)).isEqualTo(told);
    }
}
