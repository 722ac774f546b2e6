package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

import io.millrace.base.simulation.SimulatedNetwork;
import io.millrace.base.simulation.SimulatedProcess;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import io.millrace.wire.error.NodeUnreachable;
import org.apache.kafka.common.protocol.ApiMessage;

/// Requests of the Kafka protocol to brokers over the simulated network.
///
/// @param process whose requests they are
/// @param brokers by their ids
record SimulatedNodeClient(SimulatedNetwork network, SimulatedProcess process,
        IntFunction<SimulatedBroker> brokers) implements NodeClient {
    private static final String BROKER = SimulatedBroker.host(0).replace("0", "");

    @Override
    @SuppressWarnings("unchecked") // the broker answers with the message class of the request's pair
    public <A extends ApiMessage> CompletableFuture<A> send(NodeAddress node, ApiMessage request, Duration timeout) {
        var broker = brokers.apply(Integer.parseInt(node.host().substring(BROKER.length())));
        var answer = new CompletableFuture<A>();
        var late = process.schedule(timeout, () -> answer.completeExceptionally(new TimeoutException("no answer from "
                + node)));
        answer.whenComplete((_, _) -> late.cancel());
        network.call(process, node.host(), () -> broker.handle(request)).whenComplete((result, failure) -> {
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
