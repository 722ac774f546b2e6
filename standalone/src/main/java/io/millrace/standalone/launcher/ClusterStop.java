package io.millrace.standalone.launcher;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Role;
import io.millrace.standalone.process.DataFolder;
import io.millrace.standalone.process.Failed;
import io.millrace.standalone.process.ProcessRecord;
import io.millrace.standalone.process.Processes;

/// Ends the processes of a data folder: those that depend on others first.
final class ClusterStop {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final DataFolder folder;
    private final Processes processes;
    private final PrintStream err;

    ClusterStop(DataFolder folder, PrintStream err) {
        this.folder = folder;
        this.processes = new Processes(folder);
        this.err = err;
    }

    /// Ends everything and forgets the plan; the data stay.
    ///
    /// @return how many processes there were to end
    int stop() {
        try (var _ = folder.lock()) {
            int ended = 0;
            for (Role role : Arrays.asList(Role.values()).reversed()) {
                ended += stop(running().stream().filter(it -> it.name().startsWith(role.label() + "-")).toList());
            }
            ended += stop(running());
            folder.forgetPlan();
            return ended;
        } catch (Failed e) {
            throw e;
        } catch (Exception e) {
            throw new Failed("cannot release the lock on " + folder.root() + ": " + e);
        }
    }

    private List<ProcessRecord> running() {
        return processes.running();
    }

    private int stop(List<ProcessRecord> some) {
        for (ProcessRecord late : processes.stop(some, PATIENCE)) {
            err.println("millrace: " + late.name() + " did not end within " + PATIENCE.toSeconds()
                    + " s and was killed; log: " + folder.log(late.name()));
        }
        return some.size();
    }

    /// The plan of the running cluster.
    ///
    /// @throws Failed with exit code 3 if none runs
    static ClusterPlan runningPlan(DataFolder folder) {
        return folder.plan().orElseThrow(() -> new Failed(3, "no cluster runs on " + folder.root()));
    }
}
