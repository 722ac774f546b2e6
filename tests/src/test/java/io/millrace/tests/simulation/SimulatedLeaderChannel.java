package io.millrace.tests.simulation;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.millrace.base.loop.Loop;
import io.millrace.base.simulation.SimulatedConnection;
import io.millrace.base.simulation.SimulatedNetwork;
import io.millrace.base.simulation.SimulatedProcess;
import io.millrace.broker.replication.LeaderChannel;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/// The way from a follower to its leader over the simulated network: a connection, which keeps the order of requests and of
/// answers until it breaks.
final class SimulatedLeaderChannel implements LeaderChannel {
    private final SimulatedNetwork network;
    private final SimulatedProcess process;
    private final SimulatedBroker leader;
    private final Map<Integer, CompletableFuture<FetchResponseData>> inFlight = new LinkedHashMap<>();
    private int lastRequest;
    private @Nullable Opened opened;

    SimulatedLeaderChannel(SimulatedNetwork network, SimulatedProcess process, SimulatedBroker leader) {
        this.network = network;
        this.process = process;
        this.leader = leader;
    }

    @Override
    public Loop loop() {
        return process;
    }

    @Override
    public CompletableFuture<FetchResponseData> fetch(FetchRequestData request, Duration timeout) {
        var answer = new CompletableFuture<FetchResponseData>();
        int number = ++lastRequest;
        inFlight.put(number, answer);
        var late = process.schedule(timeout, () -> {
            answer.completeExceptionally(new TimeoutException("no answer from " + leader.host()));
            close();
        });
        answer.whenComplete((_, _) -> {
            late.cancel();
            inFlight.remove(number);
        });
        var to = opened;
        if (to == null || !to.connection.isOpen()) {
            to = new Opened();
            opened = to;
        }
        to.ask(request, answer);
        return answer;
    }

    @Override
    public void close() {
        var last = opened;
        opened = null;
        if (last != null) {
            last.connection.close();
        }
        broken();
    }

    private void broken() {
        List.copyOf(inFlight.values()).forEach(answer -> process.execute(() -> answer.completeExceptionally(
                new IOException(
                        "connection broken"))));
    }

    private final class Opened {
        private final SimulatedConnection connection = network.connect(process, leader.host(), this::gone);
        /// At the leader: the answer before the next one.
        private CompletableFuture<Void> sent = CompletableFuture.completedFuture(null);

        private void gone() {
            if (equals(opened)) {
                broken();
            }
        }

        void ask(FetchRequestData request, CompletableFuture<FetchResponseData> answer) {
            connection.up(() -> {
                var handled = leader.handle(request);
                sent = sent.thenCombine(handled.handle((result, failure) -> send(answer, result, failure)), (_,
                        inTurn) -> {
                    inTurn.run();
                    return null;
                });
            });
        }

        private Runnable send(CompletableFuture<FetchResponseData> answer, @Nullable ApiMessage result,
                @Nullable Throwable failure) {
            return () -> {
                if (failure == null && result instanceof FetchResponseData data) {
                    connection.down(() -> answer.complete(data));
                } else {
                    connection.closeThere();
                }
            };
        }
    }
}
