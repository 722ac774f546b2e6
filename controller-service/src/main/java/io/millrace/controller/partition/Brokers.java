package io.millrace.controller.partition;

import java.util.function.IntPredicate;

/// What leader choice must know of the brokers.
///
/// @param alive whether a broker serves what it leads now (a broker that is shutting down still does)
/// @param mayLead whether a broker may be given a leadership; implies `alive`
public record Brokers(IntPredicate alive, IntPredicate mayLead) {}
