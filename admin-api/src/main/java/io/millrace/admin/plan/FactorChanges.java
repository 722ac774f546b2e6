package io.millrace.admin.plan;

import java.util.List;

import io.millrace.admin.operation.Operation;
import io.millrace.admin.operation.Operation.Limits;
import io.millrace.admin.operation.OperationType;
import io.millrace.admin.operation.Operations;
import io.millrace.admin.plan.PlanRequest.Goal;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.LogDirs;
import lombok.RequiredArgsConstructor;

/// Gives the partitions of a topic more replicas, or fewer.
@RequiredArgsConstructor
public final class FactorChanges {
    private final Cluster cluster;
    private final LogDirs directories;
    private final Operations operations;

    /// Begins to move what has to be moved for it; leaders stay where they are.
    ///
    /// @param createdBy who asks
    /// @throws io.millrace.admin.problem.Problem where there are too few brokers, or another operation moves the topic
    public Operation begin(String topic, int factor, String createdBy) {
        var request = new PlanRequest(Goal.CHANGE_RF, null, List.of(topic), null, factor, null, true, null, null);
        var moves = new Planner(cluster.image(), directories.sizes()).plan(request);
        return operations.begin(OperationType.REASSIGNMENT, null, createdBy, Limits.DEFAULTS, moves, true);
    }
}
