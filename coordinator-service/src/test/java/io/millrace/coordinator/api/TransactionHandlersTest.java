package io.millrace.coordinator.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Backoff;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.coordinator.shard.AppendLimits;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.coordinator.shard.ShardMetrics;
import io.millrace.coordinator.shard.ShardRuntime;
import io.millrace.coordinator.shard.TransactionMetrics;
import io.millrace.coordinator.shard.TransactionSettings;
import io.millrace.coordinator.shard.TransactionShard;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.ClientSoftware;
import io.millrace.wire.api.CoordinatorEpoch;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResultCollection;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The APIs of transactions, in their versions.
class TransactionHandlersTest {
    private static final int SELF = 1000;
    private static final int EPOCH = 6;
    private static final short FIRST_BATCHED = 4;
    private static final short FIRST_OF_VERSION_2 = 5;

    private final SimulatedLoop loop = new SimulatedLoop();
    private final AtomicLong ids = new AtomicLong(40);
    private CompletableFuture<Set<TopicPartition>> markers = CompletableFuture.completedFuture(Set.of());
    private final ClusterImage image = image();
    private final OwnedShards<TransactionShard> shards = new OwnedShards<>(SELF, List.of(loop),
            TransactionShard.type(new TransactionSettings(900_000, Duration.ofDays(7), Duration.ofSeconds(10),
                    Duration.ofHours(1), Duration.ofMillis(500)),
                    new TransactionShard.Outside(_ -> markers, () -> CompletableFuture.completedFuture(ids
                            .incrementAndGet()), new TransactionMetrics(new SimpleMeterRegistry(), loop.clock()))),
            new ShardRuntime(new InMemoryShard(), new ShardMetrics(new SimpleMeterRegistry(), loop.ticker()),
                    loop.clock(), loop.ticker(), new Random(1),
                    new Backoff(Duration.ofMillis(1), Duration.ofMillis(1)), new AppendLimits(1000, 5000)),
            () -> image, _ -> {});

    @BeforeEach
    void load() {
        shards.apply(ClusterImage.EMPTY, image, Changes.between(ClusterImage.EMPTY, image));
        loop.runPending();
        assertThat(shards.loaded()).isTrue();
    }

    private static Stream<Short> versions(ApiKeys api) {
        return IntStream.rangeClosed(api.oldestVersion(), api.latestVersion(false)).mapToObj(number -> (short) number);
    }

    static Stream<Short> adds() {
        return versions(ApiKeys.ADD_PARTITIONS_TO_TXN);
    }

    static Stream<Short> ends() {
        return versions(ApiKeys.END_TXN);
    }

    @ParameterizedTest
    @MethodSource("ends")
    void theEndOfATransactionThatNeverBeganIsRefusedAndTheIdStaysUsable(short version) {
        var producer = init("id");

        assertThat(end("id", producer, true, version)).isEqualTo(Errors.INVALID_TXN_STATE);
        assertThat(described("id").transactionState()).isEqualTo("Empty");

        short adds = version < FIRST_OF_VERSION_2 ? (short) 3 : FIRST_OF_VERSION_2;
        assertThat(add("id", producer, List.of(0), adds)).containsExactly(Map.entry(0, Errors.NONE));
        assertThat(end("id", producer, true, version)).isEqualTo(Errors.NONE);
        assertThat(described("id").transactionState()).isEqualTo("CompleteCommit");
    }

    @ParameterizedTest
    @MethodSource("adds")
    void ofPartitionsOneOfWhichIsUnknownNoneIsAdded(short version) {
        var producer = init("id");

        assertThat(add("id", producer, List.of(0, 7), version)).containsOnly(
                Map.entry(0, Errors.OPERATION_NOT_ATTEMPTED), Map.entry(7, Errors.UNKNOWN_TOPIC_OR_PARTITION));

        assertThat(described("id").transactionState()).isEqualTo("Empty");
        assertThat(described("id").topics()).isEmpty();
        assertThat(add("id", producer, List.of(0), version)).containsExactly(Map.entry(0, Errors.NONE));
        assertThat(described("id").topics()).singleElement().satisfies(topic -> assertThat(topic.partitions())
                .containsExactly(0));
    }

    /// As brokers ask for several producers at once: each transaction has an answer of its own.
    @Test
    void ofSeveralTransactionsInOneRequestEachIsAnsweredByItself() {
        var request = new AddPartitionsToTxnRequestData();
        var open = init("open");
        var fenced = init("fenced").setProducerEpoch((short) 7);
        var asked = init("asked");
        request.transactions().add(transaction("open", open, List.of(0, 1)));
        request.transactions().add(transaction("fenced", fenced, List.of(0)));
        request.transactions().add(transaction("asked", asked, List.of(1)).setVerifyOnly(true));

        var results = ask(new AddPartitionsToTxnHandler(shards, () -> image), request, FIRST_BATCHED)
                .resultsByTransaction();

        assertThat(errors(results.find("open").topicResults())).containsOnly(Map.entry(0, Errors.NONE), Map.entry(1,
                Errors.NONE));
        assertThat(errors(results.find("fenced").topicResults())).containsOnly(Map.entry(0, Errors.PRODUCER_FENCED));
        assertThat(errors(results.find("asked").topicResults())).containsOnly(Map.entry(1,
                Errors.TRANSACTION_ABORTABLE));
        assertThat(described("open").transactionState()).isEqualTo("Ongoing");
        assertThat(described("fenced").transactionState()).isEqualTo("Empty");
    }

    private static AddPartitionsToTxnTransaction transaction(String id, InitProducerIdResponseData producer,
            List<Integer> partitions) {
        return new AddPartitionsToTxnTransaction().setTransactionalId(id).setProducerId(producer.producerId())
                .setProducerEpoch(producer.producerEpoch()).setTopics(topics(partitions));
    }

    /// No leader takes an end of a transaction there, so that it would never be over.
    @ParameterizedTest
    @MethodSource("adds")
    void theTopicOfTheTransactionsIsInNone(short version) {
        var producer = init("id");
        var topics = topics(List.of(0));
        topics.add(new AddPartitionsToTxnTopic().setName(ShardKind.TRANSACTION.topic()).setPartitions(List.of(0)));

        var told = new HashMap<String, Errors>();
        added("id", producer, topics, version).forEach(topic -> told.put(topic.name(), Errors.forCode(topic
                .resultsByPartition().iterator().next().partitionErrorCode())));

        assertThat(told).containsOnly(Map.entry("t", Errors.OPERATION_NOT_ATTEMPTED), Map.entry(ShardKind.TRANSACTION
                .topic(), Errors.TOPIC_AUTHORIZATION_FAILED));
        assertThat(described("id").transactionState()).isEqualTo("Empty");
    }

    private AddPartitionsToTxnTopicResultCollection added(String id, InitProducerIdResponseData producer,
            AddPartitionsToTxnTopicCollection topics, short version) {
        var request = new AddPartitionsToTxnRequestData();
        if (version < FIRST_BATCHED) {
            request.setV3AndBelowTransactionalId(id).setV3AndBelowProducerId(producer.producerId())
                    .setV3AndBelowProducerEpoch(producer.producerEpoch()).setV3AndBelowTopics(topics);
            return ask(new AddPartitionsToTxnHandler(shards, () -> image), request, version)
                    .resultsByTopicV3AndBelow();
        }
        request.transactions().add(new AddPartitionsToTxnTransaction().setTransactionalId(id).setProducerId(producer
                .producerId()).setProducerEpoch(producer.producerEpoch()).setTopics(topics));
        return ask(new AddPartitionsToTxnHandler(shards, () -> image), request, version).resultsByTransaction().find(id)
                .topicResults();
    }

    @Test
    void whoeverAsksWhetherAPartitionIsInATransactionIsToldInWhichEpochThatIsSaid() {
        var producer = init("id");
        add("id", producer, List.of(0), (short) 3);

        var in = batched("id", producer, List.of(0), true, FIRST_BATCHED);
        var out = batched("id", producer, List.of(1), true, FIRST_BATCHED);

        assertThat(errors(in.resultsByTransaction().find("id").topicResults())).containsEntry(0, Errors.NONE);
        assertThat(errors(out.resultsByTransaction().find("id").topicResults())).containsEntry(1,
                Errors.TRANSACTION_ABORTABLE);
        assertThat(CoordinatorEpoch.of(in.resultsByTransaction().find("id"))).isEqualTo(EPOCH);
        assertThat(described("id").topics()).as("asking adds nothing").singleElement().satisfies(
                topic -> assertThat(topic.partitions()).containsExactly(0));
    }

    @Test
    void transactionsAreListedByStateAndProducerAndName() {
        markers = new CompletableFuture<>();
        init("empty");
        var open = init("open");
        add("open", open, List.of(0), (short) 3);
        var ending = init("ending");
        add("ending", ending, List.of(0), (short) 3);
        end("ending", ending, true, (short) 3);

        assertThat(list(new ListTransactionsRequestData())).containsOnly(Map.entry("empty", "Empty"),
                Map.entry("open", "Ongoing"), Map.entry("ending", "PrepareCommit"));
        assertThat(list(new ListTransactionsRequestData().setStateFilters(List.of("Ongoing", "PrepareCommit"))))
                .containsOnlyKeys("open", "ending");
        assertThat(list(new ListTransactionsRequestData().setProducerIdFilters(List.of(open.producerId()))))
                .containsOnlyKeys("open");
        assertThat(list(new ListTransactionsRequestData().setTransactionalIdPattern("e.*"))).containsOnlyKeys("empty",
                "ending");
        loop.advance(Duration.ofSeconds(2));
        add("empty", init("empty"), List.of(0), (short) 3);
        assertThat(list(new ListTransactionsRequestData().setDurationFilter(1_000)
                .setStateFilters(List.of("Ongoing")))).as("the one that has been going on for a second")
                .containsOnlyKeys(
                        "open");
    }

    @Test
    void aStateThatNobodyKnowsIsNamedAndNothingIsListedForIt() {
        init("id");
        var answer = ask(new ListTransactionsHandler(shards, loop.clock()), new ListTransactionsRequestData()
                .setStateFilters(List.of("Nonsense")), ApiKeys.LIST_TRANSACTIONS.latestVersion(false));

        assertThat(answer.unknownStateFilters()).containsExactly("Nonsense");
        assertThat(answer.transactionStates()).isEmpty();
        assertThatThrownBy(() -> list(new ListTransactionsRequestData().setTransactionalIdPattern("(")))
                .satisfies(failure -> assertThat(Failures.errorOf(failure)).isEqualTo(
                        Errors.INVALID_REGULAR_EXPRESSION));
    }

    @Test
    void anOpenTransactionIsDescribedAndAnUnknownIdIsNotFound() {
        var producer = init("id");
        long began = loop.clock().millis();
        add("id", producer, List.of(0, 1), (short) 3);

        var found = described("id");
        assertThat(found.producerId()).isEqualTo(producer.producerId());
        assertThat(found.producerEpoch()).isEqualTo(producer.producerEpoch());
        assertThat(found.transactionStartTimeMs()).isEqualTo(began);
        assertThat(found.transactionTimeoutMs()).isEqualTo(60_000);
        assertThat(found.topics()).singleElement().satisfies(topic -> assertThat(topic.partitions())
                .containsExactlyInAnyOrder(0, 1));
        assertThat(Errors.forCode(described("nobody").errorCode())).isEqualTo(Errors.TRANSACTIONAL_ID_NOT_FOUND);
        assertThat(Errors.forCode(described("").errorCode())).isEqualTo(Errors.INVALID_REQUEST);
    }

    private InitProducerIdResponseData init(String id) {
        var answer = new TransactionalInit(shards).init(new InitProducerIdRequestData().setTransactionalId(id)
                .setTransactionTimeoutMs(60_000), context(ApiKeys.INIT_PRODUCER_ID, (short) 5));
        loop.runPending();
        assertThat(Errors.forCode(answer.join().errorCode())).isEqualTo(Errors.NONE);
        return answer.join();
    }

    private Map<Integer, Errors> add(String id, InitProducerIdResponseData producer, List<Integer> partitions,
            short version) {
        if (version >= FIRST_BATCHED) {
            return errors(batched(id, producer, partitions, false, version).resultsByTransaction().find(id)
                    .topicResults());
        }
        var request = new AddPartitionsToTxnRequestData().setV3AndBelowTransactionalId(id)
                .setV3AndBelowProducerId(producer.producerId()).setV3AndBelowProducerEpoch(producer.producerEpoch())
                .setV3AndBelowTopics(topics(partitions));
        return errors(ask(new AddPartitionsToTxnHandler(shards, () -> image), request, version)
                .resultsByTopicV3AndBelow());
    }

    private AddPartitionsToTxnResponseData batched(String id, InitProducerIdResponseData producer,
            List<Integer> partitions, boolean verifyOnly, short version) {
        var request = new AddPartitionsToTxnRequestData();
        request.transactions().add(transaction(id, producer, partitions).setVerifyOnly(verifyOnly));
        return ask(new AddPartitionsToTxnHandler(shards, () -> image), request, version);
    }

    private static AddPartitionsToTxnTopicCollection topics(List<Integer> partitions) {
        var topics = new AddPartitionsToTxnTopicCollection();
        topics.add(new AddPartitionsToTxnTopic().setName("t").setPartitions(partitions));
        return topics;
    }

    private static Map<Integer, Errors> errors(AddPartitionsToTxnTopicResultCollection topics) {
        var errors = new HashMap<Integer, Errors>();
        topics.forEach(topic -> topic.resultsByPartition().forEach(part -> errors.put(part.partitionIndex(), Errors
                .forCode(part.partitionErrorCode()))));
        return errors;
    }

    private Errors end(String id, InitProducerIdResponseData producer, boolean commit, short version) {
        return Errors.forCode(ask(new EndTxnHandler(shards), new EndTxnRequestData().setTransactionalId(id)
                .setProducerId(producer.producerId()).setProducerEpoch(producer.producerEpoch())
                .setCommitted(commit), version).errorCode());
    }

    private TransactionState described(String id) {
        return ask(new DescribeTransactionsHandler(shards), new DescribeTransactionsRequestData()
                .setTransactionalIds(List.of(id)), (short) 0).transactionStates().getFirst();
    }

    private Map<String, String> list(ListTransactionsRequestData request) {
        var states = new HashMap<String, String>();
        ask(new ListTransactionsHandler(shards, loop.clock()), request, ApiKeys.LIST_TRANSACTIONS.latestVersion(false))
                .transactionStates().forEach(state -> states.put(state.transactionalId(), state.transactionState()));
        return states;
    }

    private <Q extends ApiMessage, A extends ApiMessage> A ask(ApiHandler<Q, A> handler, Q request, short version) {
        var answer = handler.handle(request, context(handler.api(), version));
        loop.runPending();
        assertThat(answer).isCompleted();
        var response = answer.join();
        MessageUtil.toByteBufferAccessor(response, version); // throws where the version has no room for something
        return response;
    }

    private RequestContext context(ApiKeys api, short version) {
        return new RequestContext(api, version, 1, "client", new RequestContext.Connection("id", "PLAINTEXT",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), KafkaPrincipal.ANONYMOUS,
                ClientSoftware.UNKNOWN, loop));
    }

    private static ClusterImage image() {
        var topics = ClusterImage.EMPTY.topics()
                .with(TopicImage.of(ShardKind.TRANSACTION.topic(), new UUID(1, 1)).with(partition(0)))
                .with(TopicImage.of("t", new UUID(3, 4)).with(partition(0)).with(partition(1)));
        return ClusterImage.EMPTY.with(topics).with(ShardKind.TRANSACTION, ClusterImage.EMPTY
                .shards(ShardKind.TRANSACTION).with(new ShardImage(0, SELF, EPOCH)));
    }

    private static PartitionImage partition(int number) {
        return new PartitionImage(number, List.of(1), List.of(1), List.of(), List.of(), 1, 0, 0);
    }
}
