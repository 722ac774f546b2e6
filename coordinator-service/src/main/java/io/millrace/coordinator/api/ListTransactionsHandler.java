package io.millrace.coordinator.api;

import java.time.Clock;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import io.millrace.coordinator.record.TransactionState;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.coordinator.shard.TransactionShard;
import io.millrace.coordinator.transaction.Transaction;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// ListTransactions: the ids of this coordinator; a client asks every node. While a shard loads the whole is refused, as
/// Kafka does, so that a client does not take a part for all.
public final class ListTransactionsHandler
        implements
            ApiHandler<ListTransactionsRequestData, ListTransactionsResponseData> {
    private final OwnedShards<TransactionShard> shards;
    private final Clock clock;

    /// @param clock for how long transactions have been going on
    public ListTransactionsHandler(OwnedShards<TransactionShard> shards, Clock clock) {
        this.shards = shards;
        this.clock = clock;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.LIST_TRANSACTIONS;
    }

    private record Part(Errors error, List<ListTransactionsResponseData.TransactionState> transactions) {}

    @Override
    public CompletableFuture<ListTransactionsResponseData> handle(ListTransactionsRequestData request,
            RequestContext context) {
        var ids = ids(request.transactionalIdPattern());
        var which = which(request);
        var unknown = request.stateFilters().stream()
                .filter(label -> TransactionState.labelled(label).isEmpty()).toList();
        var parts = shards.onEach(shard -> CompletableFuture.completedFuture(shard.list(ids, which))).stream()
                .map(list -> list.thenApply(found -> new Part(Errors.NONE, found))
                        .exceptionally(failure -> new Part(Failures.errorOf(failure), List.of())))
                .toList();
        return GroupIds.all(parts).thenApply(all -> answer(all).setUnknownStateFilters(unknown));
    }

    private static ListTransactionsResponseData answer(List<Part> parts) {
        // A shard that went away meanwhile is listed by its new owner.
        var error = parts.stream().map(Part::error)
                .filter(code -> code != Errors.NONE && code != Errors.NOT_COORDINATOR).findFirst();
        return error.map(code -> new ListTransactionsResponseData().setErrorCode(code.code()))
                .orElseGet(() -> new ListTransactionsResponseData().setTransactionStates(
                        parts.stream().flatMap(part -> part.transactions().stream()).toList()));
    }

    private static Predicate<String> ids(@Nullable String pattern) {
        if (pattern == null || pattern.isEmpty()) {
            return _ -> true;
        }
        try {
            return Pattern.compile(pattern).asMatchPredicate();
        } catch (PatternSyntaxException malformed) {
            throw new Refused(Errors.INVALID_REGULAR_EXPRESSION, malformed.getDescription());
        }
    }

    private Predicate<Transaction> which(ListTransactionsRequestData request) {
        var producers = new HashSet<>(request.producerIdFilters());
        var states = EnumSet.noneOf(TransactionState.class);
        request.stateFilters().forEach(label -> TransactionState.labelled(label).ifPresent(states::add));
        boolean anyState = request.stateFilters().isEmpty();
        long startedBefore = clock.millis() - request.durationFilter();
        return now -> (producers.isEmpty() || producers.contains(now.producerId()))
                && (anyState || states.contains(now.state()))
                && (request.durationFilter() < 0 || now.stored().startedMillis() < startedBefore);
    }
}
