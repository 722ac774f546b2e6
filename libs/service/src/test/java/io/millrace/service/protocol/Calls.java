package io.millrace.service.protocol;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.ClientSoftware;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/// Calls handlers as a connection would.
final class Calls {
    private Calls() {}

    /// The answer, which that version can carry; a failure becomes the refusal that the client would get.
    static <Q extends ApiMessage, A extends ApiMessage> A call(ApiHandler<Q, A> handler, Q request, int version) {
        return start(handler, request, version).join();
    }

    static <Q extends ApiMessage, A extends ApiMessage> CompletableFuture<A> start(ApiHandler<Q, A> handler, Q request,
            int version) {
        CompletableFuture<A> answer;
        try {
            answer = handler.handle(request, context(handler.api(), version));
        } catch (RuntimeException failure) {
            answer = CompletableFuture.failedFuture(failure);
        }
        return answer.exceptionally(failure -> handler.refuse(request, Failures.errorOf(failure),
                Failures.messageOf(failure), (short) version)).thenApply(done -> {
                    write(done, (short) version);
                    return done;
                });
    }

    static RequestContext context(ApiKeys api, int version) {
        var client = new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000);
        return new RequestContext(api, (short) version, 1, "test", new RequestContext.Connection("test",
                Clusters.LISTENER, client, KafkaPrincipal.ANONYMOUS, ClientSoftware.UNKNOWN, new SimulatedLoop()));
    }

    /// Fails where the answer holds what its version cannot carry.
    private static void write(ApiMessage answer, short version) {
        var cache = new ObjectSerializationCache();
        var buffer = ByteBuffer.allocate(answer.size(cache, version));
        answer.write(new ByteBufferAccessor(buffer), cache, version);
    }
}
