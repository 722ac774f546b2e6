package io.millrace.controller.core;

import java.time.Duration;

import io.millrace.controller.partition.LeaderBalance;

/// How leaderships go back to preferred leaders by themselves.
///
/// @param interval `leader.imbalance.check.interval.seconds`: from one look to the next
public record BalancePlan(Duration interval, LeaderBalance balance) {}
