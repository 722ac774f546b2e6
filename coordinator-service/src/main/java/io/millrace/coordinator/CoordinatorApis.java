package io.millrace.coordinator;

import java.time.Clock;
import java.util.ArrayList;

import io.millrace.coordinator.api.AddOffsetsToTxnHandler;
import io.millrace.coordinator.api.AddPartitionsToTxnHandler;
import io.millrace.coordinator.api.ConsumerGroupDescribeHandler;
import io.millrace.coordinator.api.ConsumerGroupHeartbeatHandler;
import io.millrace.coordinator.api.DeleteGroupsHandler;
import io.millrace.coordinator.api.DescribeGroupsHandler;
import io.millrace.coordinator.api.DescribeTransactionsHandler;
import io.millrace.coordinator.api.EndTxnHandler;
import io.millrace.coordinator.api.HeartbeatHandler;
import io.millrace.coordinator.api.JoinGroupHandler;
import io.millrace.coordinator.api.LeaveGroupHandler;
import io.millrace.coordinator.api.ListGroupsHandler;
import io.millrace.coordinator.api.ListTransactionsHandler;
import io.millrace.coordinator.api.OffsetCommitHandler;
import io.millrace.coordinator.api.OffsetDeleteHandler;
import io.millrace.coordinator.api.OffsetFetchHandler;
import io.millrace.coordinator.api.SyncGroupHandler;
import io.millrace.coordinator.api.TransactionalInit;
import io.millrace.coordinator.api.TxnOffsetCommitHandler;
import io.millrace.coordinator.api.WriteTxnMarkersHandler;
import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.membership.Membership;
import io.millrace.service.protocol.SharedHandlers;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.ApiRegistry;
import io.millrace.wire.api.VersionTable;

/// What a coordinator answers: groups and transactions itself, what any node answers, and a refusal to the rest.
final class CoordinatorApis {
    private CoordinatorApis() {}

    static ApiRegistry of(OwnedShards<GroupShard> shards, Transactions transactions, Membership membership,
            ServerSettings settings, int id) {
        var subscription = membership.subscription();
        var handlers = new ArrayList<ApiHandler<?, ?>>(SharedHandlers.of(subscription, membership.controller(),
                settings, id, transactions.producerIds(), new TransactionalInit(transactions.shards())));
        handlers.add(new AddPartitionsToTxnHandler(transactions.shards(), subscription::image));
        handlers.add(new AddOffsetsToTxnHandler(transactions.shards(), subscription::image));
        handlers.add(new EndTxnHandler(transactions.shards()));
        handlers.add(new DescribeTransactionsHandler(transactions.shards()));
        handlers.add(new ListTransactionsHandler(transactions.shards(), Clock.systemUTC()));
        handlers.add(new TxnOffsetCommitHandler(shards, transactions.calls(), subscription::image));
        handlers.add(new WriteTxnMarkersHandler(shards));
        handlers.add(new JoinGroupHandler(shards));
        handlers.add(new SyncGroupHandler(shards));
        handlers.add(new HeartbeatHandler(shards));
        handlers.add(new LeaveGroupHandler(shards));
        handlers.add(new OffsetCommitHandler(shards, subscription::image));
        handlers.add(new OffsetFetchHandler(shards, subscription::image));
        handlers.add(new OffsetDeleteHandler(shards, subscription::image));
        handlers.add(new DescribeGroupsHandler(shards));
        handlers.add(new ConsumerGroupHeartbeatHandler(shards));
        handlers.add(new ConsumerGroupDescribeHandler(shards));
        handlers.add(new ListGroupsHandler(shards));
        handlers.add(new DeleteGroupsHandler(shards));
        return ApiRegistry.of(VersionTable.MILLRACE, handlers);
    }
}
