package io.millrace.standalone.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// What Linux says of processes in `/proc`. Start times are read here and not from `ProcessHandle`, which counts them from
/// a wall clock that may be set while the process runs.
final class ProcFs {

    private static final Path PROC = Path.of("/proc");

    /// @param state one letter of proc(5): `T` is stopped by a signal, `Z` has ended and waits for its parent
    record Stat(char state, long startTicks) {

        boolean ended() {
            return state == 'Z' || state == 'X';
        }

        boolean stopped() {
            return state == 'T';
        }
    }

    /// @return the process of that pid, or empty if there is none
    Optional<Stat> stat(long pid) {
        try {
            return Optional.of(parse(Files.readString(PROC.resolve(pid + "/stat"))));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            // Linux answers "no such process" where it ends between the opening and the reading.
            if (Files.exists(PROC.resolve(String.valueOf(pid)))) {
                throw new UncheckedIOException(e);
            }
            return Optional.empty();
        }
    }

    /// The program's name stands in brackets and may itself hold spaces and brackets, so fields count from the last one.
    static Stat parse(String line) {
        String[] fields = line.substring(line.lastIndexOf(')') + 2).trim().split(" ", -1);
        return new Stat(fields[0].charAt(0), Long.parseLong(fields[19]));
    }

    String boot() {
        try {
            return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).trim();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
