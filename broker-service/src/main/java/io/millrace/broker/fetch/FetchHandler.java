package io.millrace.broker.fetch;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import java.util.random.RandomGenerator;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Ticker;
import io.millrace.broker.partition.BrokerTopicMetrics;
import io.millrace.broker.partition.LeaderHints;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// Fetch: reads what is there, waits on the connection's loop until that suffices, and tells of each session's partitions
/// only what changed.
public final class FetchHandler implements ApiHandler<FetchRequestData, FetchResponseData> {
    /// Expected while a client looks for the leader or its place in the log: not counted as failures, as in Kafka.
    private static final Set<Short> ROUTINE = Set.of(Errors.NONE.code(), Errors.UNKNOWN_TOPIC_OR_PARTITION.code(),
            Errors.UNKNOWN_TOPIC_ID.code(), Errors.INCONSISTENT_TOPIC_ID.code(), Errors.NOT_LEADER_OR_FOLLOWER.code(),
            Errors.FENCED_LEADER_EPOCH.code(), Errors.UNKNOWN_LEADER_EPOCH.code(), Errors.OFFSET_OUT_OF_RANGE.code(),
            Errors.KAFKA_STORAGE_ERROR.code(), Errors.UNSUPPORTED_COMPRESSION_TYPE.code());

    private final PartitionRegistry partitions;
    private final BrokerTopicMetrics metrics;
    private final Limits limits;
    private final FetchReader reader;
    private final FetchSessions sessions;
    private final FetchWaits waits;
    private final FetchAssembler assembler;
    private final ReplicaFetches replicas;

    /// @param maxBytes `fetch.max.bytes`: no answer holds more, but for one batch that is larger
    /// @param sessions `max.incremental.fetch.session.cache.slots`
    /// @param waiting how many fetches wait at most; one more is answered at once
    public record Limits(int maxBytes, int sessions, int waiting) {}

    /// What it goes by besides its partitions.
    ///
    /// @param epochs of the registration of a broker that is known; -1 where none is
    /// @param throttle holds back what followers get
    /// @param closest where consumers had better read
    public record Cluster(LeaderHints hints, IntToLongFunction epochs, LeaderThrottle throttle,
            ClosestReplica closest) {}

    /// @param random for the ids of sessions
    public FetchHandler(PartitionRegistry partitions, BrokerTopicMetrics metrics, Cluster cluster, Limits limits,
            MeterRegistry meters, Ticker ticker, RandomGenerator random) {
        var hints = cluster.hints();
        this.partitions = partitions;
        this.metrics = metrics;
        this.limits = limits;
        var fetchMetrics = new FetchMetrics(meters);
        this.reader = new FetchReader(partitions, hints, cluster.closest());
        this.sessions = new FetchSessions(limits.sessions(), ticker, random, fetchMetrics::evicted);
        this.waits = new FetchWaits(limits.waiting());
        this.assembler = new FetchAssembler(hints);
        var replicaSessions = new ReplicaSessions(limits.sessions(), ticker, random);
        this.replicas = new ReplicaFetches(new ReplicaLook.Tools(partitions, cluster.throttle(), metrics),
                replicaSessions, assembler, cluster.epochs(), ticker, limits.maxBytes());
        fetchMetrics.watch(sessions, replicaSessions, waits);
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.FETCH;
    }

    @Override
    public CompletableFuture<FetchResponseData> handle(FetchRequestData request, RequestContext context) {
        if (FetchSessions.replicaId(request, context.version()) >= 0) {
            return replicas.handle(request, context);
        }
        return switch (sessions.plan(request, context.version(), partitions::nameOf)) {
            case FetchPlan.Refuse(Errors error) -> CompletableFuture.completedFuture(new FetchResponseData()
                    .setErrorCode(error.code()));
            case FetchPlan.Full full -> read(full.items(), request, context, read -> full(full, read, context));
            case FetchPlan.Incremental more -> read(more.items(), request, context, read -> incremental(more, read,
                    context));
        };
    }

    @Override
    public void abandoned(CompletableFuture<FetchResponseData> answer) {
        answer.cancel(false);
    }

    private CompletableFuture<FetchResponseData> read(List<FetchItem> items, FetchRequestData request,
            RequestContext context, Function<FetchRead, FetchResponseData> respond) {
        var scope = FetchScope.of(request, context.version(), context.listener(), limits.maxBytes());
        int minBytes = Math.min(request.minBytes(), limits.maxBytes());
        var maxWait = Duration.ofMillis(Math.max(0, request.maxWaitMs()));
        var wait = waits.await(context.loop(), minBytes, maxWait, () -> reader.read(items, scope));
        var answer = new CompletableFuture<FetchResponseData>();
        wait.whenComplete((read, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else if (!answer.isDone()) {
                count(read);
                answer.complete(respond.apply(read));
            } else {
                read.release().run();
            }
        });
        // Of no effect but where the answer was cancelled, since nobody waits for it any more.
        answer.whenComplete((_, _) -> wait.cancel(false));
        return answer;
    }

    private FetchResponseData full(FetchPlan.Full plan, FetchRead read, RequestContext context) {
        int session = plan.opensSession()
                ? sessions.open(context.version(), plan.items(), read.answers().stream().map(Answered::data)
                        .toList())
                : FetchSession.NO_ID;
        return assembler.response(session, read.answers(), context);
    }

    private FetchResponseData incremental(FetchPlan.Incremental plan, FetchRead read, RequestContext context) {
        var told = plan.session().changed(plan.epoch(), read.answers());
        if (told == null) {
            read.release().run();
            return new FetchResponseData().setErrorCode(Errors.INVALID_FETCH_SESSION_EPOCH.code());
        }
        return assembler.response(plan.session().id(), told, context);
    }

    private void count(FetchRead read) {
        for (var answer : read.answers()) {
            var partition = answer.partition();
            if (partition == null) {
                metrics.fetchRefused();
                continue;
            }
            partition.meters().fetchRequest();
            if (!ROUTINE.contains(answer.data().errorCode())) {
                partition.meters().fetchFailed();
            }
            if (answer.sizeBytes() > 0) {
                partition.meters().sent(answer.sizeBytes());
            }
        }
    }
}
