package io.millrace.controller.core;

import java.time.Duration;

/// What every term of this controller works with.
///
/// @param grace how long a node may be without its stream before it is fenced, unless it is seen to be dead
public record Realm(Decider decider, ClusterStore store, Publication publication, Probe probe, Duration grace,
        CoreObserver observer) {}
