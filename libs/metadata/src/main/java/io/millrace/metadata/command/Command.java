package io.millrace.metadata.command;

/// What a node asks of the active controller, `POST /commands/<name>` with the record as JSON.
///
/// @param <R> what it answers
public sealed interface Command<R>
        permits CreateTopics, DeleteTopics, CreatePartitions, AlterConfigs, AllocateProducerIds, ControlledShutdown,
        AlterReassignments, AlterPartition, ReplicasOffline, ElectLeaders, ShardsPrepared,
        ResignController, DescribeSubscribers, BalanceShards, DrainCoordinator {

    /// The class of the answer.
    Class<R> resultType();
}
