package io.millrace.coordinator;

import io.millrace.coordinator.api.TransactionCalls;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.coordinator.shard.TransactionShard;
import io.millrace.service.protocol.ProducerIds;

/// A coordinator's part in transactions.
///
/// @param calls to the coordinators of transactional ids
/// @param producerIds for producers of any kind
record Transactions(OwnedShards<TransactionShard> shards, TransactionCalls calls, ProducerIds producerIds) {}
