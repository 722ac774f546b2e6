package io.millrace.coordinator.marker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.api.MarkerStamp;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerPartitionResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerTopicResult;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MarkerSenderTest {
    private static final String MARKER = "millrace.coordinator.transaction.marker.";
    private static final TopicPartition T0 = new TopicPartition("t", 0);
    private static final TopicPartition OFFSETS = new TopicPartition("__consumer_offsets", 0);

    private final SimulatedLoop loop = new SimulatedLoop();
    private final FakeNodes nodes = new FakeNodes();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private ClusterImage image = image(1);
    private final MarkerSender sender = new MarkerSender(new MarkerCalls(nodes, 1000, () -> 9), () -> image,
            "PLAINTEXT",
            loop, loop.ticker(), new Random(1), new MarkerMetrics(meters));

    /// Answers as the test lays out, and with success where it did not.
    private static final class FakeNodes implements NodeClient {
        private final Deque<Function<WriteTxnMarkersRequestData, CompletableFuture<ApiMessage>>> answers = new ArrayDeque<>();
        private final List<Integer> asked = new ArrayList<>();
        private final List<WriteTxnMarkersRequestData> requests = new ArrayList<>();

        @Override
        @SuppressWarnings("unchecked") // the test lays out what fits the request
        public <A extends ApiMessage> CompletableFuture<A> send(NodeAddress node, ApiMessage request,
                Duration timeout) {
            asked.add(node.port());
            var markers = (WriteTxnMarkersRequestData) request;
            requests.add(markers);
            var answer = answers.poll();
            return (CompletableFuture<A>) (answer == null ? all(markers, Errors.NONE) : answer.apply(markers));
        }

        void answer(Errors error) {
            answers.add(request -> all(request, error));
        }

        private static CompletableFuture<ApiMessage> all(WriteTxnMarkersRequestData request, Errors error) {
            var answer = new WriteTxnMarkersResponseData();
            for (var marker : request.markers()) {
                var result = new WritableTxnMarkerResult().setProducerId(marker.producerId());
                marker.topics().forEach(topic -> result.topics().add(new WritableTxnMarkerTopicResult()
                        .setName(topic.name()).setPartitions(topic.partitionIndexes().stream()
                                .map(partition -> new WritableTxnMarkerPartitionResult().setPartitionIndex(partition)
                                        .setErrorCode(error.code())).toList())));
                answer.markers().add(result);
            }
            return CompletableFuture.completedFuture(answer);
        }

        @Override
        public void close() {}
    }

    @Test
    void eachMarkerGoesToTheLeaderAndThatOfAGroupToTheOwnerOfItsShard() {
        var written = write(1, T0, OFFSETS);

        assertThat(written).isCompleted();
        assertThat(nodes.asked).containsExactlyInAnyOrder(1, 1000);
        assertThat(nodes.requests.getFirst().markers().getFirst().coordinatorEpoch()).isEqualTo(7);
    }

    @Test
    void whatGathersWhileARequestIsUnderWayGoesWithTheNext() {
        var held = new CompletableFuture<ApiMessage>();
        nodes.answers.add(_ -> held);
        write(1, T0);
        var second = write(2, T0);
        var third = write(3, T0);

        held.completeExceptionally(new IOException("broken"));
        loop.runPending();

        assertThat(second).isCompleted();
        assertThat(third).isCompleted();
        assertThat(nodes.requests).hasSize(2);
        assertThat(nodes.requests.getLast().markers()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(value = Errors.class, names = {"NOT_LEADER_OR_FOLLOWER", "NOT_ENOUGH_REPLICAS", "REQUEST_TIMED_OUT",
            "COORDINATOR_LOAD_IN_PROGRESS", "UNKNOWN_TOPIC_OR_PARTITION", "NOT_COORDINATOR", "KAFKA_STORAGE_ERROR"})
    void whoeverLeadsByThenIsAskedAgain(Errors error) {
        nodes.answer(error);
        var written = write(1, T0);
        assertThat(written).isNotDone();
        assertThat(meters.get("millrace.coordinator.transaction.marker.backlog").gauge().value()).isEqualTo(1);

        image = image(2);
        loop.advance(Duration.ofSeconds(1));

        assertThat(written).isCompleted();
        assertThat(nodes.asked).containsExactly(1, 2);
        assertThat(meters.get("millrace.coordinator.transaction.marker.backlog").gauge().value()).isZero();
    }

    @Test
    void aPartitionWithoutALeaderIsWaitedForAndOneWhoseTopicIsGoneIsNot() {
        image = image(-1);
        var written = write(1, T0);
        var ofGone = write(2, new TopicPartition("gone", 0));
        assertThat(ofGone).isCompleted();
        var ofOneThatItsTopicNoLongerHas = write(3, new TopicPartition("t", 1));
        assertThat(ofOneThatItsTopicNoLongerHas).isCompleted();
        loop.advance(Duration.ofMinutes(1));
        assertThat(written).isNotDone();

        image = image(1);
        loop.advance(Duration.ofSeconds(2));

        assertThat(written).isCompleted();
    }

    @Test
    void aMarkerThatALaterEpochOvertookIsDone() {
        nodes.answer(Errors.INVALID_PRODUCER_EPOCH);

        assertThat(write(1, T0)).isCompleted();
    }

    @Test
    void aMarkerThatNoLeaderWillEverTakeIsLeftOut() {
        nodes.answer(Errors.INVALID_TOPIC_EXCEPTION);

        assertThat(write(1, T0)).isCompleted();
    }

    @Test
    void whereALaterCoordinatorHasWrittenIsTold() {
        nodes.answer(Errors.TRANSACTION_COORDINATOR_FENCED);

        assertThat(write(1, T0)).isCompletedWithValue(Set.of(T0));
        assertThat(meters.get("millrace.coordinator.transaction.marker.refused").counter().count()).isEqualTo(1);
    }

    @Test
    void whatIsCalledOffIsNotSentAgain() {
        nodes.answer(Errors.NOT_LEADER_OR_FOLLOWER);
        var written = write(1, T0);

        written.cancel(false);
        loop.advance(Duration.ofMinutes(1));

        assertThat(nodes.requests).hasSize(1);
        assertThat(meters.get("millrace.coordinator.transaction.marker.backlog").gauge().value()).isZero();
    }

    /// By the names of docs/metrics.md.
    @Test
    void whatWaitsForMarkersAndForHowLongIsToldWhileANodeHangs() {
        var held = new CompletableFuture<ApiMessage>();
        nodes.answers.add(_ -> held);
        write(1, T0);
        loop.advance(Duration.ofSeconds(4));
        write(2, T0);
        loop.advance(Duration.ofSeconds(3));

        assertThat(gauge("backlog")).isEqualTo(2);
        assertThat(gauge("age.ms")).as("of the older one").isEqualTo(7_000);

        nodes.answer(Errors.NOT_LEADER_OR_FOLLOWER); // the second one
        held.complete(FakeNodes.all(nodes.requests.getFirst(), Errors.NONE).join());
        loop.runPending();
        assertThat(gauge("backlog")).isEqualTo(1);
        assertThat(gauge("age.ms")).isEqualTo(3_000);
        loop.advance(Duration.ofSeconds(1));

        assertThat(gauge("backlog")).isZero();
        assertThat(gauge("age.ms")).isZero();
        assertThat(meters.get(MARKER + "written").counter().count()).isEqualTo(2);
        assertThat(meters.get(MARKER + "retries").counter().count()).isEqualTo(1);
        assertThat(meters.get(MARKER + "time").timer().max(TimeUnit.SECONDS)).isEqualTo(7);
    }

    private double gauge(String name) {
        return meters.get(MARKER + name).gauge().value();
    }

    @Test
    void eachRequestSaysWhichOneItIsSoThatOneGivenUpIsKnown() {
        nodes.answers.add(_ -> CompletableFuture.failedFuture(new TimeoutException()));
        write(1, T0);
        loop.advance(Duration.ofSeconds(1));

        assertThat(nodes.requests.stream().map(MarkerStamp::of)).containsExactly(
                Optional.of(new MarkerStamp(1000, 9, 1)), Optional.of(new MarkerStamp(1000, 9, 2)));
    }

    @Test
    void aCallThatBreaksIsTriedAgain() {
        nodes.answers.add(_ -> {
            throw new IllegalStateException("planted");
        });
        var written = write(1, T0);

        loop.advance(Duration.ofSeconds(1));

        assertThat(written).isCompleted();
    }

    private CompletableFuture<Set<TopicPartition>> write(long producerId, TopicPartition... partitions) {
        var written = sender.write(new EndedTransaction("x" + producerId, producerId, (short) 3, true, 7, (short) 2,
                Set.of(partitions)));
        loop.runPending();
        return written;
    }

    private static ClusterImage image(int leader) {
        var image = ClusterImage.EMPTY.with(ClusterImage.EMPTY.nodes().with(node(Role.BROKER, 1))
                .with(node(Role.BROKER, 2)).with(node(Role.COORDINATOR, 1000)));
        var partition = new PartitionImage(0, List.of(1, 2), List.of(1, 2), List.of(), List.of(), leader, 1, 1);
        return image.with(image.topics().with(TopicImage.of("t", new UUID(1, 1)).with(partition))
                .with(TopicImage.of("__consumer_offsets", new UUID(1, 2)).with(partition)))
                .with(ShardKind.GROUP, image.groupShards().with(new ShardImage(0, 1000, 4)));
    }

    private static NodeImage node(Role role, int id) {
        return new NodeImage(role, id, 1, List.of(new Endpoint("PLAINTEXT", "PLAINTEXT", "host", id)), null, null, "",
                NodeState.ACTIVE);
    }
}
