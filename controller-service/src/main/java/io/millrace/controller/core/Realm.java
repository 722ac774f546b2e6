package io.millrace.controller.core;

import java.time.Duration;
import java.util.Optional;

/// What every term of this controller works with.
///
/// @param balance empty where leaderships go back only on request
/// @param grace how long a node may be without its stream before it is fenced, unless it is seen to be dead
public record Realm(Decider decider, ClusterStore store, Publication publication, Probe probe, Duration grace,
        Optional<BalancePlan> balance, CoreObserver observer) {}
