package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import io.millrace.base.simulation.SimulatedNetwork;
import io.millrace.base.simulation.SimulatedProcess;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import io.millrace.wire.error.NodeUnreachable;
import org.apache.kafka.common.protocol.ApiMessage;

/// Requests of the Kafka protocol over the simulated network.
///
/// @param process whose requests they are
/// @param nodes by their hosts
record SimulatedNodeClient(SimulatedNetwork network, SimulatedProcess process,
        Function<String, SimulatedNode> nodes) implements NodeClient {
    @Override
    @SuppressWarnings("unchecked") // the node answers with the message class of the request's pair
    public <A extends ApiMessage> CompletableFuture<A> send(NodeAddress node, ApiMessage request, Duration timeout) {
        var there = nodes.apply(node.host());
        var answer = new CompletableFuture<A>();
        var late = process.schedule(timeout, () -> answer.completeExceptionally(new TimeoutException("no answer from "
                + node)));
        answer.whenComplete((_, _) -> late.cancel());
        network.call(process, node.host(), () -> there.handle(request)).whenComplete((result, failure) -> {
            if (failure == null) {
                answer.complete((A) result);
            } else {
                answer.completeExceptionally(failure instanceof RuntimeException
                        ? failure
                        : new NodeUnreachable(node.toString(), failure));
            }
        });
        return answer;
    }

    @Override
    public void close() {
        // What is in flight ends with the process.
    }
}
