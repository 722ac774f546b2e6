package io.millrace.wire.server;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/// Heartbeats that are answered when the test says so; the generation tells them apart, and comes back as throttle time.
public final class HeldHeartbeats implements ApiHandler<HeartbeatRequestData, HeartbeatResponseData> {
    private final Map<Integer, CompletableFuture<HeartbeatResponseData>> held = new ConcurrentHashMap<>();
    private final AtomicInteger received = new AtomicInteger();

    public static HeartbeatRequestData request(int generation) {
        return new HeartbeatRequestData().setGroupId("g").setMemberId("m").setGenerationId(generation);
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.HEARTBEAT;
    }

    @Override
    public CompletableFuture<HeartbeatResponseData> handle(HeartbeatRequestData request, RequestContext context) {
        received.incrementAndGet();
        return future(request.generationId());
    }

    public CompletableFuture<HeartbeatResponseData> future(int generation) {
        return held.computeIfAbsent(generation, _ -> new CompletableFuture<>());
    }

    public void answer(int generation) {
        future(generation).complete(new HeartbeatResponseData().setThrottleTimeMs(generation));
    }

    public int received() {
        return received.get();
    }

}
