package io.millrace.coordinator.api;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.wire.api.AddedText;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// ListGroups: the groups of this coordinator; a client asks every node. While a shard loads, its groups are missing and
/// the answer says so, as Kafka's does. A request with an added text asks when each group was last heard of.
public final class ListGroupsHandler implements ApiHandler<ListGroupsRequestData, ListGroupsResponseData> {
    private final OwnedShards<GroupShard> shards;

    public ListGroupsHandler(OwnedShards<GroupShard> shards) {
        this.shards = shards;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.LIST_GROUPS;
    }

    private record Part(Errors error, List<ListedGroup> groups) {}

    @Override
    public CompletableFuture<ListGroupsResponseData> handle(ListGroupsRequestData request, RequestContext context) {
        var types = lowerCase(request.typesFilter());
        var states = lowerCase(request.statesFilter());
        boolean withSigns = AddedText.of(request).isPresent();
        var parts = shards.onEach(shard -> CompletableFuture.completedFuture((withSigns
                ? shard.listWithSigns()
                : shard.list()).stream()
                .filter(group -> fits(types, group.groupType()) && fits(states, group.groupState())).toList())).stream()
                .map(list -> list.thenApply(groups -> new Part(Errors.NONE, groups))
                        .exceptionally(failure -> new Part(Failures.errorOf(failure), List.of())))
                .toList();
        return GroupIds.all(parts).thenApply(ListGroupsHandler::answer);
    }

    private static ListGroupsResponseData answer(List<Part> parts) {
        // A shard that went away meanwhile is listed by its new owner.
        var error = parts.stream().map(Part::error)
                .filter(code -> code != Errors.NONE && code != Errors.NOT_COORDINATOR).findFirst().orElse(Errors.NONE);
        return new ListGroupsResponseData().setErrorCode(error.code())
                .setGroups(parts.stream().flatMap(part -> part.groups().stream()).toList());
    }

    private static boolean fits(Set<String> filter, String label) {
        return filter.isEmpty() || filter.contains(label.toLowerCase(Locale.ROOT));
    }

    private static Set<String> lowerCase(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }
}
