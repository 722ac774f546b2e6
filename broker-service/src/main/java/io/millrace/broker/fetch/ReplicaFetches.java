package io.millrace.broker.fetch;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntToLongFunction;

import io.millrace.base.loop.Ticker;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.codec.FileSlice;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;

/// Fetches of followers, on their own path: each is answered from its session.
final class ReplicaFetches {
    private static final short FIRST_VERSION_WITH_IDS = 13;
    private static final short FIRST_VERSION_WITH_REPLICA_STATE = 15;
    private static final long NO_EPOCH = -1;

    private final ReplicaLook.Tools tools;
    private final ReplicaSessions sessions;
    private final FetchAssembler assembler;
    private final IntToLongFunction epochs;
    private final Ticker ticker;
    private final int maxBytes;

    /// @param epochs of the registration of a broker that is known; -1 where none is
    /// @param maxBytes `fetch.max.bytes`
    ReplicaFetches(ReplicaLook.Tools tools, ReplicaSessions sessions, FetchAssembler assembler,
            IntToLongFunction epochs,
            Ticker ticker, int maxBytes) {
        this.tools = tools;
        this.sessions = sessions;
        this.assembler = assembler;
        this.epochs = epochs;
        this.ticker = ticker;
        this.maxBytes = maxBytes;
    }

    /// Answers a request of a follower, on the loop of its connection. Whoever cancels the future ends the wait.
    CompletableFuture<FetchResponseData> handle(FetchRequestData request, RequestContext context) {
        var follower = follower(request, context.version());
        if (follower.epoch() != NO_EPOCH && follower.epoch() < epochs.applyAsLong(follower.replica())) {
            return refuse(Errors.STALE_BROKER_EPOCH);
        }
        int id = request.sessionId();
        int epoch = request.sessionEpoch();
        if (epoch == FetchSession.INITIAL_EPOCH || epoch == FetchSession.FINAL_EPOCH) {
            sessions.close(id);
            return begin(follower, request, context);
        }
        var session = sessions.find(id, follower);
        if (session == null) {
            return refuse(Errors.FETCH_SESSION_ID_NOT_FOUND);
        }
        if (session.byTopicId() != context.version() >= FIRST_VERSION_WITH_IDS) {
            return refuse(Errors.FETCH_SESSION_TOPIC_ID_ERROR);
        }
        if (!session.advance(epoch)) {
            return refuse(Errors.INVALID_FETCH_SESSION_EPOCH);
        }
        return fetch(session, id, request, context);
    }

    private CompletableFuture<FetchResponseData> begin(ReplicaLook.Follower follower, FetchRequestData request,
            RequestContext context) {
        var session = new ReplicaSession(tools, follower, context.version() >= FIRST_VERSION_WITH_IDS, ticker);
        int id = request.sessionEpoch() == FetchSession.INITIAL_EPOCH && !request.topics().isEmpty()
                ? sessions.open(session)
                : FetchSession.NO_ID;
        var answer = fetch(session, id, request, context);
        if (id == FetchSession.NO_ID) {
            answer.whenComplete((_, _) -> session.close());
        }
        return answer;
    }

    private CompletableFuture<FetchResponseData> fetch(ReplicaSession session, int id, FetchRequestData request,
            RequestContext context) {
        var fetch = new ReplicaWait.Fetch(context.loop(), request.minBytes(), Math.min(Math.max(0, request
                .maxBytes()), maxBytes), Duration.ofMillis(Math.max(0, request.maxWaitMs())));
        var found = session.fetch(request, fetch, tools.partitions()::nameOf);
        var answer = new CompletableFuture<FetchResponseData>();
        found.whenComplete((answers, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
                return;
            }
            var response = assembler.response(id, answers, context);
            if (!answer.complete(response)) {
                FileSlice.releaseAll(response);
            }
        });
        // Of no effect but where the answer was cancelled, since nobody waits for it any more.
        answer.whenComplete((_, _) -> found.cancel(false));
        return answer;
    }

    private static ReplicaLook.Follower follower(FetchRequestData request, short version) {
        return new ReplicaLook.Follower(FetchSessions.replicaId(request, version),
                version >= FIRST_VERSION_WITH_REPLICA_STATE ? request.replicaState().replicaEpoch() : NO_EPOCH);
    }

    private static CompletableFuture<FetchResponseData> refuse(Errors error) {
        return CompletableFuture.completedFuture(new FetchResponseData().setErrorCode(error.code()));
    }
}
