package io.millrace.base.simulation;

import java.util.stream.LongStream;

/// Seeds of randomized tests. `-Dseed=N` runs that one alone, `-Dseeds=N` that many.
public final class Seeds {
    private Seeds() {}

    /// @param count how many to run where the command line does not say
    public static LongStream of(int count) {
        var one = Long.getLong("seed");
        return one != null ? LongStream.of(one) : LongStream.range(0, Integer.getInteger("seeds", count));
    }
}
