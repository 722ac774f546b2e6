package io.millrace.coordinator.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.wire.api.CoordinatorEpoch;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.protocol.Errors;

/// Asks the coordinator of a transactional id about a partition (KIP-890). Callable from any thread.
public final class TransactionCalls {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final NodeClient client;
    private final Supplier<ClusterImage> image;
    private final String listener;

    /// @param image the newest one
    /// @param listener of coordinators, by its name
    public TransactionCalls(NodeClient client, Supplier<ClusterImage> image, String listener) {
        this.client = client;
        this.image = image;
        this.listener = listener;
    }

    /// What a coordinator said.
    ///
    /// @param epoch in which it did; [CoordinatorEpoch#NOT_TOLD] where that is not known
    record Word(Errors error, int epoch) {
        static Word of(Errors error) {
            return new Word(error, CoordinatorEpoch.NOT_TOLD);
        }
    }

    /// @param add whether the partition becomes a part of the transaction; else it is only asked whether it is one
    CompletableFuture<Word> ask(String transactionalId, long producerId, short epoch, TopicPartition partition,
            boolean add) {
        var now = image.get();
        var coordinator = now.shardOf(ShardKind.TRANSACTION, transactionalId)
                .flatMap(shard -> now.coordinator(shard.owner())).flatMap(this::address);
        if (coordinator.isEmpty()) {
            return CompletableFuture.failedFuture(new Refused(Errors.COORDINATOR_NOT_AVAILABLE,
                    "nobody coordinates " + transactionalId));
        }
        var topics = new AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection();
        topics.add(new AddPartitionsToTxnTopic().setName(partition.topic())
                .setPartitions(List.of(partition.partition())));
        var request = new AddPartitionsToTxnRequestData();
        request.transactions().add(new AddPartitionsToTxnTransaction().setTransactionalId(transactionalId)
                .setProducerId(producerId).setProducerEpoch(epoch).setVerifyOnly(!add).setTopics(topics));
        return client.<AddPartitionsToTxnResponseData>send(coordinator.get(), request, TIMEOUT)
                .thenApply(TransactionCalls::word);
    }

    private Optional<NodeAddress> address(NodeImage node) {
        return node.endpoint(listener).map(endpoint -> new NodeAddress(endpoint.host(), endpoint.port()));
    }

    private static Word word(AddPartitionsToTxnResponseData answer) {
        return answer.errorCode() != Errors.NONE.code()
                ? Word.of(Errors.forCode(answer.errorCode()))
                : answer.resultsByTransaction().stream().flatMap(result -> result.topicResults().stream()
                        .flatMap(topic -> topic.resultsByPartition().stream())
                        .map(partition -> new Word(Errors.forCode(partition.partitionErrorCode()),
                                CoordinatorEpoch.of(result))))
                        .findFirst().orElseGet(() -> Word.of(Errors.UNKNOWN_SERVER_ERROR));
    }
}
