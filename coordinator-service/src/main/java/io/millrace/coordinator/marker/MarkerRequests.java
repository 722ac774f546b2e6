package io.millrace.coordinator.marker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.Errors;

/// WriteTxnMarkers, there and back.
final class MarkerRequests {
    private MarkerRequests() {}

    /// One marker for each transaction among `pieces`. A producer has no second transaction before its first is complete,
    /// so answers are told apart by its id.
    static WriteTxnMarkersRequestData of(List<MarkerPiece> pieces) {
        var byTransaction = new LinkedHashMap<EndedTransaction, Map<String, List<Integer>>>();
        for (var piece : pieces) {
            byTransaction.computeIfAbsent(piece.transaction(), _ -> new TreeMap<>())
                    .computeIfAbsent(piece.partition().topic(), _ -> new ArrayList<>())
                    .add(piece.partition().partition());
        }
        var request = new WriteTxnMarkersRequestData();
        byTransaction.forEach((transaction, topics) -> request.markers().add(marker(transaction, topics)));
        return request;
    }

    private static WritableTxnMarker marker(EndedTransaction transaction, Map<String, List<Integer>> topics) {
        var marker = new WritableTxnMarker().setProducerId(transaction.producerId())
                .setProducerEpoch(transaction.epoch()).setTransactionResult(transaction.commit())
                .setCoordinatorEpoch(transaction.coordinatorEpoch()).setTransactionVersion((byte) transaction
                        .version());
        topics.forEach((topic, partitions) -> marker.topics().add(
                new WritableTxnMarkerTopic().setName(topic).setPartitionIndexes(partitions)));
        return marker;
    }

    /// What became of each of `pieces`; those that the answer does not name were not written.
    static Map<MarkerPiece, Errors> outcomes(List<MarkerPiece> pieces, WriteTxnMarkersResponseData answer) {
        var byPlace = new HashMap<Long, Map<TopicPartition, Errors>>();
        for (var marker : answer.markers()) {
            var outcomes = byPlace.computeIfAbsent(marker.producerId(), _ -> new HashMap<>());
            marker.topics().forEach(topic -> topic.partitions().forEach(partition -> outcomes.put(
                    new TopicPartition(topic.name(), partition.partitionIndex()),
                    Errors.forCode(partition.errorCode()))));
        }
        var outcomes = new LinkedHashMap<MarkerPiece, Errors>();
        pieces.forEach(piece -> outcomes.put(piece, byPlace.getOrDefault(piece.transaction().producerId(), Map.of())
                .getOrDefault(piece.partition(), Errors.UNKNOWN_SERVER_ERROR)));
        return outcomes;
    }
}
