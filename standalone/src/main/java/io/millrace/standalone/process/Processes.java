package io.millrace.standalone.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Starts, looks at and ends the processes of one data folder, and no others.
public final class Processes {

    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
    /// A log that is longer is set aside when its process starts anew.
    private static final long LOG_LIMIT_BYTES = 64L << 20;

    private final DataFolder folder;
    private final ProcFs procFs = new ProcFs();

    public Processes(DataFolder folder) {
        this.folder = folder;
    }

    /// Starts a process that outlives this one, in a session of its own, so that Ctrl-C in the terminal does not reach it.
    ///
    /// @throws Failed if a process of that name runs, or the command cannot be started
    public ProcessRecord start(String name, List<String> command) {
        running(name).ifPresent(it -> {
            throw new Failed(name + " runs already, pid " + it.pid());
        });
        var line = new ArrayList<String>(List.of("setsid"));
        line.addAll(command);
        Path log = folder.log(name);
        try {
            setAside(log);
            Process process = new ProcessBuilder(line).directory(folder.root().toFile())
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).redirectErrorStream(true).start();
            long ticks = procFs.stat(process.pid()).map(ProcFs.Stat::startTicks).orElse(-1L);
            var started = new ProcessRecord(name, process.pid(), ticks, procFs.boot());
            folder.remember(started);
            return started;
        } catch (IOException e) {
            throw new Failed("cannot start " + name + ": " + e.getMessage());
        }
    }

    private static void setAside(Path log) throws IOException {
        if (Files.exists(log) && Files.size(log) > LOG_LIMIT_BYTES) {
            Files.move(log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /// @return the process of that name if it was started here and has not ended
    public Optional<ProcessRecord> running(String name) {
        return folder.process(name).filter(it -> state(it) != ProcessState.GONE);
    }

    /// Every process of the folder that has not ended.
    public List<ProcessRecord> running() {
        return folder.processes().stream().filter(it -> state(it) != ProcessState.GONE).toList();
    }

    /// What the process is doing now.
    public ProcessState state(ProcessRecord process) {
        if (!process.boot().equals(procFs.boot())) {
            return ProcessState.GONE;
        }
        return procFs.stat(process.pid()).filter(stat -> stat.startTicks() == process.startTicks() && !stat.ended())
                .map(stat -> stat.stopped() ? ProcessState.STOPPED : ProcessState.RUNNING).orElse(ProcessState.GONE);
    }

    /// Sends a signal. A process that has ended in the meantime is no failure.
    public void signal(ProcessRecord process, Signal signal) {
        if (state(process) == ProcessState.GONE) {
            return;
        }
        try {
            // The shell's own kill: the program of that name is not installed everywhere.
            new ProcessBuilder("bash", "-c", "kill -s \"$0\" \"$1\"", signal.name(), String.valueOf(process.pid()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start().waitFor();
        } catch (IOException e) {
            throw new Failed("cannot send " + signal + " to " + process.name() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Asks the processes to end, and kills what has not done so in time.
    ///
    /// @return those that had to be killed
    public List<ProcessRecord> stop(List<ProcessRecord> processes, Duration patience) {
        for (ProcessRecord process : processes) {
            signal(process, Signal.TERM);
            signal(process, Signal.CONT);
        }
        var late = processes.stream().filter(it -> !ends(it, patience)).toList();
        late.forEach(it -> signal(it, Signal.KILL));
        for (ProcessRecord process : processes) {
            if (!ends(process, patience)) {
                throw new Failed(process.name() + " cannot be ended, pid " + process.pid());
            }
            folder.forget(process);
        }
        return late;
    }

    /// Waits for the process to end.
    ///
    /// @return false if it still runs when the patience is at its end
    public boolean ends(ProcessRecord process, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (state(process) != ProcessState.GONE) {
            if (System.nanoTime() >= end) {
                return false;
            }
            Pause.of(LOOK_AGAIN);
        }
        return true;
    }
}
