package io.millrace.tests.simulation;

import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.marker.EndedTransaction;
import io.millrace.coordinator.marker.Markers;
import org.apache.kafka.common.TopicPartition;

/// Writes the marker of one partition and takes the others for written: [Flaw#MARKS_ONE_PARTITION].
record ForgetfulMarkers(Markers real) implements Markers {
    @Override
    public CompletableFuture<Set<TopicPartition>> write(EndedTransaction ended) {
        return real.write(new EndedTransaction(ended.transactionalId(), ended.producerId(), ended.epoch(), ended
                .commit(), ended.coordinatorEpoch(), ended.version(), Set.of(ended.partitions().iterator().next())));
    }
}
