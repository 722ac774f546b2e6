package io.millrace.broker;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.ApiRegistry;
import io.millrace.wire.api.CoordinatorEpoch;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.api.VersionTable;
import io.millrace.wire.connection.NetworkMetrics;
import io.millrace.wire.server.KafkaServer;
import io.millrace.wire.server.ListenerConfig;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnPartitionResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResult;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import reactor.netty.resources.LoopResources;

/// A coordinator of transactions on a real socket that says of each question what the test wants.
final class FakeCoordinator
        implements
            ApiHandler<AddPartitionsToTxnRequestData, AddPartitionsToTxnResponseData>,
            AutoCloseable {
    private final LoopResources loops = LoopResources.create("fake-coordinator", 1, true);
    private final List<AddPartitionsToTxnTransaction> asked = new CopyOnWriteArrayList<>();
    private final Markers markers = new Markers();
    private final KafkaServer server;
    private volatile Function<AddPartitionsToTxnTransaction, Errors> word = _ -> Errors.NONE;
    private volatile int epoch = CoordinatorEpoch.NOT_TOLD;
    private volatile CompletableFuture<?> silence = CompletableFuture.completedFuture(null);

    FakeCoordinator() {
        server = KafkaServer.bind(new ListenerConfig("PLAINTEXT", "127.0.0.1", 0), loops, ApiRegistry.of(
                VersionTable.MILLRACE, List.of(this, markers)), new NetworkMetrics(new SimpleMeterRegistry()));
    }

    InetSocketAddress address() {
        return server.address();
    }

    /// Answers that to all that is asked from now on.
    FakeCoordinator says(Errors error) {
        word = _ -> error;
        return this;
    }

    FakeCoordinator says(Function<AddPartitionsToTxnTransaction, Errors> answer) {
        word = answer;
        return this;
    }

    /// In which epoch of its shard it answers from now on.
    FakeCoordinator inEpoch(int coordinatorEpoch) {
        epoch = coordinatorEpoch;
        return this;
    }

    /// Answers nothing before that.
    FakeCoordinator silentUntil(CompletableFuture<?> over) {
        silence = over;
        return this;
    }

    /// All transactions that were asked about.
    List<AddPartitionsToTxnTransaction> asked() {
        return asked;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.ADD_PARTITIONS_TO_TXN;
    }

    @Override
    public CompletableFuture<AddPartitionsToTxnResponseData> handle(AddPartitionsToTxnRequestData request,
            RequestContext context) {
        var answer = new AddPartitionsToTxnResponseData();
        for (var transaction : request.transactions()) {
            asked.add(transaction.duplicate());
            var error = word.apply(transaction);
            var result = new AddPartitionsToTxnResult().setTransactionalId(transaction.transactionalId());
            for (var topic : transaction.topics()) {
                var told = new AddPartitionsToTxnTopicResult().setName(topic.name());
                topic.partitions()
                        .forEach(partition -> told.resultsByPartition()
                                .add(new AddPartitionsToTxnPartitionResult().setPartitionIndex(partition)
                                        .setPartitionErrorCode(error.code())));
                result.topicResults().add(told);
            }
            answer.resultsByTransaction().add(CoordinatorEpoch.mark(result, epoch));
        }
        return silence.thenApply(_ -> answer);
    }

    @Override
    public void close() {
        server.drain(Duration.ZERO);
        loops.dispose();
    }

    /// All markers that it was to write.
    List<WritableTxnMarker> markers() {
        return markers.written;
    }

    /// Says the same of markers.
    private final class Markers implements ApiHandler<WriteTxnMarkersRequestData, WriteTxnMarkersResponseData> {
        private final List<WritableTxnMarker> written = new CopyOnWriteArrayList<>();

        @Override
        public ApiKeys api() {
            return ApiKeys.WRITE_TXN_MARKERS;
        }

        @Override
        public CompletableFuture<WriteTxnMarkersResponseData> handle(WriteTxnMarkersRequestData request,
                RequestContext context) {
            request.markers().forEach(marker -> written.add(marker.duplicate()));
            var error = word.apply(new AddPartitionsToTxnTransaction());
            return CompletableFuture.completedFuture(refuse(request, error, null, context.version()));
        }
    }
}
