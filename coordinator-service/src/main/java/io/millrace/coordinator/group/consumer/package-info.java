/// The consumer group protocol (KIP-848) as a pure machine: [io.millrace.coordinator.group.consumer.ConsumerMachine] takes
/// a group and the events that have come, and returns records to store, the group that they make, and what is to be done
/// once they are stored. No I/O, no clock, no threads; the shard's loop calls it.
///
/// ## Epochs
/// The group's epoch goes up where its members, their subscriptions or their topics change. Then an assignor makes new
/// targets, under the epoch of the group. Each member is led to its target by its own heartbeats: it first gives up what
/// is no longer its own and says so, then gets the rest as soon as nobody else holds it. So at no time has a partition
/// two owners, and nobody waits for the slowest member but those who want what it holds.
///
/// ## Many at once
/// While records of a group are on their way, events of that group gather, and are decided together: a hundred members
/// that join at once cost one epoch, one assignment and one append.
@NullMarked
package io.millrace.coordinator.group.consumer;

import org.jspecify.annotations.NullMarked;
