package io.millrace.service.registration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/// Tells which process wrote a registration, so that its successor on the same machine can tell for sure that it is dead
/// and need not wait for its session. Nothing is ever said about processes of other machines, containers or users.
///
/// @param machine one boot of one machine, one space of process ids, one user
/// @param start when the process began, in ticks since the boot: ids are given again, a start is not
record ProcessMark(String machine, long pid, long start) {
    private static final Path PROC = Path.of("/proc");
    private static final int STATE = 0;
    private static final int START = 19;

    /// The mark of this process; empty where the system does not tell.
    static Optional<ProcessMark> self() {
        long pid = ProcessHandle.current().pid();
        try {
            var stat = stat(pid);
            return stat == null
                    ? Optional.empty()
                    : Optional.of(new ProcessMark(thisMachine(), pid, Long.parseLong(stat.get(START))));
        } catch (IOException | RuntimeException _) {
            // Not Linux, or without /proc.
            return Optional.empty();
        }
    }

    /// What [#toString] wrote; empty where it is anything else.
    static Optional<ProcessMark> parse(@Nullable String text) {
        var parts = text == null ? List.<String>of() : List.of(text.split(" ", -1));
        try {
            return parts.size() == 3
                    ? Optional.of(new ProcessMark(parts.get(0), Long.parseLong(parts.get(1)), Long.parseLong(parts.get(
                            2))))
                    : Optional.empty();
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// Whether this process is surely over. One that is stopped is not.
    boolean isDead() {
        try {
            if (!machine.equals(thisMachine())) {
                return false;
            }
            var stat = stat(pid);
            return stat == null || stat.get(STATE).equals("Z") || stat.get(STATE).equals("X") || Long.parseLong(stat
                    .get(START)) != start;
        } catch (IOException | RuntimeException _) {
            return false;
        }
    }

    private static String thisMachine() throws IOException {
        var boot = Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
        var ids = Files.readSymbolicLink(PROC.resolve("self/ns/pid"));
        return boot + "/" + ids + "/" + Files.getAttribute(PROC.resolve("self"), "unix:uid");
    }

    /// What the system says of a process after its name, which may hold anything; null where there is none.
    private static @Nullable List<String> stat(long pid) throws IOException {
        try {
            var text = Files.readString(PROC.resolve(pid + "/stat"));
            return List.of(text.substring(text.lastIndexOf(')') + 2).split(" "));
        } catch (NoSuchFileException _) {
            return null;
        }
    }

    @Override
    public String toString() {
        return machine + " " + pid + " " + start;
    }
}
