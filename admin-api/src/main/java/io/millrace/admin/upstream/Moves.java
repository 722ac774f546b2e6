package io.millrace.admin.upstream;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.metadata.command.AlterReassignments;
import io.millrace.metadata.command.AlterReassignments.Outcome;
import io.millrace.metadata.command.AlterReassignments.Target;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.Errors;

/// What the controller is asked of moves.
public final class Moves {
    private final Cluster cluster;

    /// @param cluster whose controller moves them
    public Moves(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Has partitions moved, or moves called off.
    ///
    /// @param validateOnly change nothing
    /// @throws io.millrace.admin.problem.Problem of the first target that is refused, with the text of all that are
    public void ask(List<Target> targets, boolean replicationFactorMayChange, boolean validateOnly) {
        var refused = cluster.command(new AlterReassignments(targets, replicationFactorMayChange, validateOnly, cluster
                .timeout()
                .toMillis())).outcomes().stream().filter(outcome -> outcome.errorCode() != Errors.NONE.code()).toList();
        if (!refused.isEmpty()) {
            KafkaProblems.check(refused.getFirst().errorCode(), refused.stream().map(Moves::said).collect(Collectors
                    .joining("; ")));
        }
    }

    /// Has each of those moved that can be.
    ///
    /// @return why the others cannot, for people; what may pass by itself is left out, and is to be asked again
    public Map<Target, String> tryAll(List<Target> targets) {
        var refused = new HashMap<Target, String>();
        var outcomes = cluster.command(new AlterReassignments(targets, true, false, cluster.timeout().toMillis()))
                .outcomes();
        for (int i = 0; i < Math.min(targets.size(), outcomes.size()); i++) {
            var error = Errors.forCode(outcomes.get(i).errorCode());
            if (error != Errors.NONE && !(error.exception() instanceof RetriableException)) {
                refused.put(targets.get(i), said(outcomes.get(i)));
            }
        }
        return refused;
    }

    private static String said(Outcome outcome) {
        var message = outcome.message();
        return "%s-%d: %s".formatted(outcome.topic(), outcome.partition(), message == null
                ? Errors.forCode(outcome.errorCode()).message()
                : message);
    }
}
