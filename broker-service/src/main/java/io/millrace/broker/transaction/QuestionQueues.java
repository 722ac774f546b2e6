package io.millrace.broker.transaction;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.millrace.base.loop.Deadline;
import io.millrace.wire.client.NodeAddress;
import org.apache.kafka.common.protocol.Errors;

/// A queue for each coordinator for which there are questions. Any thread may call.
final class QuestionQueues {
    private final CoordinatorChannel channel;
    private final Map<NodeAddress, QuestionQueue> queues = new ConcurrentHashMap<>();

    QuestionQueues(CoordinatorChannel channel) {
        this.channel = channel;
    }

    /// @return completes on any thread, with an error for each partition; does not fail
    CompletableFuture<CoordinatorAnswer> ask(NodeAddress coordinator, Question question,
            Deadline deadline) {
        var asked = new QuestionQueue.Waiting(question, deadline);
        // Within the map's step, so that a queue that goes is not given anything any more.
        queues.compute(coordinator, (node, there) -> {
            var queue = there == null ? new QuestionQueue(node, channel, () -> dropIdle(node)) : there;
            if (!queue.add(asked)) {
                asked.answer().complete(CoordinatorAnswer.all(question.partitions(), Errors.COORDINATOR_NOT_AVAILABLE));
            }
            return queue;
        }).send();
        return asked.answer();
    }

    private void dropIdle(NodeAddress coordinator) {
        queues.computeIfPresent(coordinator, (_, queue) -> queue.isIdle() ? null : queue);
    }

    /// Coordinators for which there are questions.
    int size() {
        return queues.size();
    }
}
