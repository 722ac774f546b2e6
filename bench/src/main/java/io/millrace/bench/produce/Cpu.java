package io.millrace.bench.produce;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Processor time of processes, as Linux counts it in `/proc`.
public final class Cpu {
    /// Fields of `/proc/PID/stat` after the name in parentheses, in ticks of a hundredth of a second.
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final double TICKS_A_SECOND = 100;

    private Cpu() {}

    /// Seconds that they have used so far, all together.
    public static double seconds(List<Long> pids) {
        return pids.stream().mapToDouble(Cpu::seconds).sum();
    }

    private static double seconds(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) / TICKS_A_SECOND;
        } catch (IOException gone) {
            throw new UncheckedIOException("process " + pid + " is gone", gone);
        }
    }
}
