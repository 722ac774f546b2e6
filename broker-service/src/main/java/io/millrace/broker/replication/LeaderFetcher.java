package io.millrace.broker.replication;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.wire.error.Failures;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.ReplicaState;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;

/// Follows one leader for its share of the partitions that this broker follows there. All of it runs on its loop.
///
///     Running(0) ──something to fetch──► Running(1) ──something new to say──► Running(2)      each answer: one less
///     Running ──failure──► Resting ──rest over, or the leader is back──► Running(0)           (any) ──close──► Closed
///
/// The next request leaves as soon as the last answer is appended, so that it tells the leader how far the log has come. It
/// leaves earlier where there is something to say that the leader must not wait for: a partition more, or one that is
/// fetched again. The leader then answers at once the request that waits there.
@Slf4j
final class LeaderFetcher {
    private static final int MOST_IN_FLIGHT = 2;

    private final Identity identity;
    private final FetcherConfig config;
    private final LeaderChannel channel;
    private final Loop loop;
    private final WindowedRate requests;
    private final LongSupplier brokerEpoch;
    private final LeaderSession session;
    private final FollowedPartitions partitions;
    private State state = new Running(0);
    private int failures;
    private boolean lost;
    private boolean pumpAsked;

    /// Which one it is.
    record Identity(int leader, int number) {}

    private sealed interface State {}

    private record Running(int inFlight) implements State {}

    private record Resting(Timeout end) implements State {}

    private record Closed() implements State {}

    LeaderFetcher(Identity identity, FetcherConfig config, LeaderChannel channel, Surroundings surroundings) {
        this.identity = identity;
        this.config = config;
        this.channel = channel;
        this.loop = channel.loop();
        this.requests = surroundings.metrics().requests();
        this.brokerEpoch = surroundings.brokerEpoch();
        this.session = new LeaderSession(config.partitionMaxBytes());
        this.partitions = new FollowedPartitions(session, config, loop, surroundings, this::pumpSoon);
    }

    Identity identity() {
        return identity;
    }

    /// Requests a second. Any thread.
    double requestRate() {
        return requests.perSecond();
    }

    /// Follows `added` from now on and `removed` no longer. One of the same topic and number takes the other's place. Any
    /// thread.
    void change(List<FollowedPartition> added, List<FollowedPartition> removed) {
        onLoop(() -> {
            if (state instanceof Closed) {
                return;
            }
            removed.forEach(partitions::remove);
            added.forEach(partitions::add);
            pump();
        });
    }

    /// The leader may be reachable again. Any thread.
    void wake() {
        onLoop(() -> {
            if (state instanceof Resting(Timeout end)) {
                end.cancel();
                run();
            }
        });
    }

    /// Stops for good. Completes once nothing is appended any more. Any thread.
    CompletableFuture<Void> close() {
        var closed = new CompletableFuture<Void>();
        try {
            loop.execute(() -> {
                if (state instanceof Resting(Timeout end)) {
                    end.cancel();
                }
                state = new Closed();
                session.end();
                partitions.close();
                channel.close();
                closed.complete(null);
            });
        } catch (RejectedExecutionException ended) {
            log.debug("the loop ended before its fetcher leader={} reason={}", identity.leader(), ended.toString());
            closed.complete(null);
        }
        return closed;
    }

    private void onLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException ended) {
            log.debug("fetcher's loop has ended leader={} reason={}", identity.leader(), ended.toString());
        }
    }

    /// Once for all that happens in one go.
    private void pumpSoon() {
        if (!pumpAsked) {
            pumpAsked = true;
            onLoop(() -> {
                pumpAsked = false;
                pump();
            });
        }
    }

    private void pump() {
        if (!(state instanceof Running(int inFlight))) {
            return;
        }
        partitions.throttle();
        int sent = inFlight;
        while (sent == 0 ? session.wantsAny() : sent < MOST_IN_FLIGHT && session.hasNews()) {
            state = new Running(++sent);
            send();
        }
    }

    private void send() {
        var request = session.fill(new FetchRequestData().setMaxWaitMs((int) config.maxWait().toMillis())
                .setMinBytes(config.minBytes())
                .setMaxBytes(config.maxBytes())
                .setReplicaState(new ReplicaState().setReplicaId(config.self()).setReplicaEpoch(brokerEpoch
                        .getAsLong())));
        int generation = session.generation();
        long number = session.requests();
        requests.record(1);
        channel.fetch(request, config.answerTimeout()).whenComplete((answer, failure) -> {
            if (generation != session.generation() || !(state instanceof Running(int inFlight))) {
                return;
            }
            if (failure != null) {
                unanswered(failure);
            } else {
                state = new Running(inFlight - 1);
                tryTake(answer, number);
            }
        });
    }

    private void tryTake(FetchResponseData answer, long request) {
        try {
            answered(answer, request);
        } catch (RuntimeException bug) {
            log.error("an answer was not taken leader={} fetcher={}", identity.leader(), identity.number(), bug);
            session.end();
            rest();
        }
    }

    private void unanswered(Throwable failure) {
        session.end();
        rest();
        var reason = Failures.cause(failure).toString();
        if (!lost) {
            lost = true;
            log.warn("leader is not reached leader={} fetcher={} partitions={} reason={}", identity.leader(), identity
                    .number(), partitions.size(), reason);
        } else {
            log.debug("leader is still not reached leader={} fetcher={} failures={} reason={}", identity.leader(),
                    identity.number(), failures, reason);
        }
    }

    private void rest() {
        if (state instanceof Closed) {
            return;
        }
        failures++;
        state = new Resting(loop.schedule(config.backoff(failures), this::run));
    }

    private void run() {
        if (state instanceof Resting) {
            state = new Running(0);
            pump();
        }
    }

    private void answered(FetchResponseData answer, long request) {
        var error = Errors.forCode(answer.errorCode());
        if (error != Errors.NONE) {
            log.debug("fetch refused leader={} fetcher={} error={}", identity.leader(), identity.number(), error);
            session.refused(error);
            rest();
            return;
        }
        if (lost) {
            lost = false;
            log.info("leader is reached again leader={} fetcher={}", identity.leader(), identity.number());
        }
        failures = 0;
        session.answered(answer.sessionId());
        partitions.take(answer, request);
        pump();
    }
}
