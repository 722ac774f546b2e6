package io.millrace.coordinator;

import java.util.ArrayList;

import io.millrace.coordinator.api.DeleteGroupsHandler;
import io.millrace.coordinator.api.DescribeGroupsHandler;
import io.millrace.coordinator.api.HeartbeatHandler;
import io.millrace.coordinator.api.JoinGroupHandler;
import io.millrace.coordinator.api.LeaveGroupHandler;
import io.millrace.coordinator.api.ListGroupsHandler;
import io.millrace.coordinator.api.OffsetCommitHandler;
import io.millrace.coordinator.api.OffsetDeleteHandler;
import io.millrace.coordinator.api.OffsetFetchHandler;
import io.millrace.coordinator.api.SyncGroupHandler;
import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.membership.Membership;
import io.millrace.service.protocol.SharedHandlers;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.ApiRegistry;
import io.millrace.wire.api.VersionTable;

/// What a coordinator answers: groups itself, what any node answers, and a refusal to the rest.
final class CoordinatorApis {
    private CoordinatorApis() {}

    static ApiRegistry of(OwnedShards<GroupShard> shards, Membership membership, ServerSettings settings, int id) {
        var subscription = membership.subscription();
        var handlers = new ArrayList<ApiHandler<?, ?>>(SharedHandlers.of(subscription, membership.controller(),
                settings, id, membership.registration()::epoch));
        handlers.add(new JoinGroupHandler(shards));
        handlers.add(new SyncGroupHandler(shards));
        handlers.add(new HeartbeatHandler(shards));
        handlers.add(new LeaveGroupHandler(shards));
        handlers.add(new OffsetCommitHandler(shards, subscription::image));
        handlers.add(new OffsetFetchHandler(shards, subscription::image));
        handlers.add(new OffsetDeleteHandler(shards, subscription::image));
        handlers.add(new DescribeGroupsHandler(shards));
        handlers.add(new ListGroupsHandler(shards));
        handlers.add(new DeleteGroupsHandler(shards));
        return ApiRegistry.of(VersionTable.MILLRACE, handlers);
    }
}
