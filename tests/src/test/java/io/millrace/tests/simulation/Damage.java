package io.millrace.tests.simulation;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.millrace.metadata.znode.PartitionStateNode;

/// Which replicas may miss what they were in sync with, since their machine lost its power. What is promised holds for
/// min.insync.replicas - 1 such replicas of a partition at a time: no further one is damaged, and none is taken from its
/// partners, before the controller has seen the first one go.
final class Damage {
    private final Set<PartitionKey> waiting = new HashSet<>();
    private int broker = -1;

    /// Whether every damaged replica has left its ISR.
    boolean isOver() {
        return waiting.isEmpty();
    }

    /// @param states of all partitions
    void begins(int of, Map<PartitionKey, PartitionStateNode> states) {
        broker = of;
        states.forEach((partition, state) -> {
            if (state.isr().contains(of)) {
                waiting.add(partition);
            }
        });
    }

    void changed(PartitionKey partition, PartitionStateNode state) {
        if (!state.isr().contains(broker)) {
            waiting.remove(partition);
        }
    }

    void deleted(PartitionKey partition) {
        waiting.remove(partition);
    }
}
