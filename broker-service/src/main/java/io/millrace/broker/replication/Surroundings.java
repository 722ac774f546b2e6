package io.millrace.broker.replication;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/// What runs beside a fetcher.
///
/// @param disks where logs are truncated
/// @param brokerEpoch of this broker's registration as it is now
record Surroundings(Executor disks, ReplicationQuota quota, FollowerMetrics metrics, LongSupplier brokerEpoch) {}
