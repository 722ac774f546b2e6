package io.millrace.admin.upstream;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.metadata.image.NodeImage;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.Errors;

/// What partitions know of producers, asked of their leaders; and transactions that hold back a partition's readers though
/// no coordinator knows of them.
public final class OpenTransactions {
    private final Cluster cluster;
    private final Transactions transactions;

    public OpenTransactions(Cluster cluster, Transactions transactions) {
        this.cluster = cluster;
        this.transactions = transactions;
    }

    /// A producer in a partition.
    public record Open(TopicPartition partition, ProducerState producer) {}

    private record Key(long producerId, TopicPartition partition) {}

    /// The producers that are active in a partition.
    ///
    /// @throws Problem where its leader does not say
    public List<ProducerState> producers(TopicPartition partition) {
        var leader = leader(partition);
        var answer = Cluster.join(cluster.<DescribeProducersResponseData>ask(leader, request(List.of(partition))))
                .topics().getFirst().partitions().getFirst();
        KafkaProblems.check(answer.errorCode(), answer.errorMessage());
        return answer.activeProducers();
    }

    /// The transactions that are open in some partition, and of which no coordinator knows that they are. What ends while
    /// this looks is looked at twice, so that it is not taken for one of them.
    ///
    /// @throws Problem where a coordinator does not answer, since what it knows would be taken for one of them, or a broker,
    ///         since what is there would be taken for ended
    public List<Open> hanging() {
        var suspects = unknown(open());
        return unknown(stillOpen(suspects));
    }

    private List<Open> unknown(List<Open> open) {
        if (open.isEmpty()) {
            return open;
        }
        var known = new HashSet<Key>();
        transactions.listAll().forEach(owned -> owned.transaction().topics().forEach(topic -> topic.partitions()
                .forEach(partition -> known.add(new Key(owned.transaction().producerId(),
                        new TopicPartition(topic.topic(), partition))))));
        return open.stream().filter(one -> !known.contains(new Key(one.producer().producerId(), one.partition())))
                .toList();
    }

    private List<Open> stillOpen(List<Open> suspects) {
        if (suspects.isEmpty()) {
            return suspects;
        }
        record Start(Key key, long offset) {}
        Set<Start> now = new HashSet<>();
        open().forEach(one -> now.add(new Start(new Key(one.producer().producerId(), one.partition()),
                one.producer().currentTxnStartOffset())));
        return suspects.stream().filter(one -> now.contains(new Start(
                new Key(one.producer().producerId(), one.partition()), one.producer().currentTxnStartOffset())))
                .toList();
    }

    private List<Open> open() {
        var byLeader = new HashMap<NodeImage, List<TopicPartition>>();
        for (var topic : cluster.image().topics().all()) {
            topic.partitions().forEach(found -> {
                var partition = new TopicPartition(topic.name(), found.partition());
                cluster.leader(partition)
                        .ifPresent(leader -> byLeader.computeIfAbsent(leader, _ -> new ArrayList<>()).add(partition));
            });
        }
        var answers = new HashMap<NodeImage, CompletableFuture<DescribeProducersResponseData>>();
        byLeader.forEach((leader, partitions) -> answers.put(leader, cluster.ask(leader, request(partitions))));
        var open = new ArrayList<Open>();
        answers.values().forEach(answer -> Cluster.join(answer).topics().forEach(topic -> topic.partitions().forEach(
                partition -> open.addAll(open(topic.name(), partition)))));
        return open;
    }

    private static List<Open> open(String topic, PartitionResponse partition) {
        if (partition.errorCode() != Errors.UNKNOWN_TOPIC_OR_PARTITION.code()) { // deleted meanwhile
            KafkaProblems.check(partition.errorCode(), partition.errorMessage());
        }
        return partition.activeProducers().stream().filter(producer -> producer.currentTxnStartOffset() >= 0).map(
                producer -> new Open(new TopicPartition(topic, partition.partitionIndex()), producer)).toList();
    }

    /// Ends a transaction in one partition.
    ///
    /// @param force also one that its coordinator knows: it may be about to commit it, and half of it would be gone
    /// @throws Problem where no such transaction is open there, or where it is not hanging
    public Open abort(TopicPartition partition, long producerId, long startOffset, boolean force, boolean dryRun) {
        var producer = producers(partition).stream()
                .filter(one -> one.producerId() == producerId && one.currentTxnStartOffset() == startOffset).findFirst()
                .orElseThrow(() -> Problem.conflict("Producer %d has no transaction in %s that began at %d."
                        .formatted(producerId, partition, startOffset)));
        if (!force && unknown(List.of(new Open(partition, producer))).isEmpty()) {
            throw Problem.conflict(("The transaction of producer %d in %s is not hanging, its coordinator will end it: "
                    + "abort its transactional id, or use force.").formatted(producerId, partition));
        }
        if (!dryRun) {
            var marker = new WritableTxnMarker().setProducerId(producerId)
                    .setProducerEpoch((short) producer.producerEpoch()).setTransactionResult(false)
                    .setCoordinatorEpoch(Math.max(0, producer.coordinatorEpoch()))
                    .setTopics(List.of(new WritableTxnMarkerTopic().setName(partition.topic())
                            .setPartitionIndexes(List.of(partition.partition()))));
            var answer = Cluster.join(cluster.<WriteTxnMarkersResponseData>ask(leader(partition),
                    new WriteTxnMarkersRequestData().setMarkers(List.of(marker))));
            KafkaProblems.check(answer.markers().getFirst().topics().getFirst().partitions().getFirst().errorCode(),
                    null);
        }
        return new Open(partition, producer);
    }

    private NodeImage leader(TopicPartition partition) {
        return cluster.leader(partition)
                .orElseThrow(() -> KafkaProblems.problem(Errors.LEADER_NOT_AVAILABLE, null));
    }

    private static DescribeProducersRequestData request(List<TopicPartition> partitions) {
        var request = new DescribeProducersRequestData();
        for (var partition : partitions) {
            var topic = request.topics().find(partition.topic());
            if (topic == null) {
                topic = new TopicRequest().setName(partition.topic()).setPartitionIndexes(new ArrayList<>());
                request.topics().add(topic);
            }
            topic.partitionIndexes().add(partition.partition());
        }
        return request;
    }
}
