package io.millrace.controller.partition;

import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/// What leader choice must know of the brokers, as far as one partition goes.
///
/// @param alive whether a broker's replica is in use now (one that is shutting down still is, and goes on leading)
/// @param mayLead whether a broker may be given a leadership and taken into the ISR; implies `alive`
/// @param life which life of the broker is registered; empty where none is, or where it does not tell
/// @param minInSync `min.insync.replicas` of the topic
public record Brokers(IntPredicate alive, IntPredicate mayLead, IntFunction<String> life, int minInSync) {

    /// Where any number of replicas in sync is enough.
    public Brokers(IntPredicate alive, IntPredicate mayLead) {
        this(alive, mayLead, _ -> "", 1);
    }
}
