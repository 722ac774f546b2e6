package io.millrace.controller.partition;

import java.util.function.IntPredicate;

/// What leader choice must know of the brokers, as far as one partition goes.
///
/// @param alive whether a broker's replica is in use now (one that is shutting down still is, and goes on leading)
/// @param mayLead whether a broker may be given a leadership and taken into the ISR; implies `alive`
public record Brokers(IntPredicate alive, IntPredicate mayLead) {}
