package io.millrace.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessesIT {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final List<String> SLEEP = List.of("sleep", "300");

    @TempDir
    private Path root;

    private DataFolder folder;
    private Processes processes;

    @BeforeEach
    void open() {
        folder = DataFolder.create(root);
        processes = new Processes(folder);
    }

    @AfterEach
    void end() {
        processes.stop(processes.running(), PATIENCE);
    }

    @Test
    void aStartedProcessIsFoundAgainByItsName() {
        ProcessRecord started = processes.start("broker-0", SLEEP);

        assertThat(new Processes(DataFolder.open(root)).running("broker-0")).contains(started);
        assertThat(processes.state(started)).isEqualTo(ProcessState.RUNNING);
    }

    @Test
    void aProcessIsStoppedContinuedAndKilledBySignals() {
        ProcessRecord started = processes.start("broker-0", SLEEP);

        processes.signal(started, Signal.STOP);
        await().until(() -> processes.state(started) == ProcessState.STOPPED);
        processes.signal(started, Signal.CONT);
        await().until(() -> processes.state(started) == ProcessState.RUNNING);
        processes.signal(started, Signal.KILL);

        assertThat(processes.ends(started, PATIENCE)).isTrue();
        assertThat(processes.running()).isEmpty();
    }

    @Test
    void stopEndsAProcessThatIsHeldByASignal() {
        ProcessRecord started = processes.start("broker-0", SLEEP);
        processes.signal(started, Signal.STOP);

        assertThat(processes.stop(List.of(started), PATIENCE)).isEmpty();

        assertThat(processes.state(started)).isEqualTo(ProcessState.GONE);
        assertThat(folder.process("broker-0")).isEmpty();
    }

    @Test
    void stopKillsWhatDoesNotHeedIt() {
        ProcessRecord deaf = processes.start("broker-0", List.of("bash", "-c",
                "trap '' TERM; echo deaf; sleep 300 & wait; wait"));
        await().until(() -> Files.readString(folder.log("broker-0")).contains("deaf"));

        assertThat(processes.stop(List.of(deaf), Duration.ofMillis(500))).containsExactly(deaf);

        assertThat(processes.state(deaf)).isEqualTo(ProcessState.GONE);
    }

    @Test
    void aPidThatWasGivenToSomebodyElseIsNeitherOursNorSignalled() {
        ProcessRecord started = processes.start("broker-0", SLEEP);
        var stranger = new ProcessRecord("broker-1", started.pid(), started.startTicks() - 1, started.boot());
        var ofAnotherBoot = new ProcessRecord("broker-2", started.pid(), started.startTicks(), "another");

        processes.signal(stranger, Signal.KILL);
        processes.signal(ofAnotherBoot, Signal.KILL);

        assertThat(processes.state(stranger)).isEqualTo(ProcessState.GONE);
        assertThat(processes.state(ofAnotherBoot)).isEqualTo(ProcessState.GONE);
        assertThat(processes.state(started)).isEqualTo(ProcessState.RUNNING);
    }

    @Test
    void oneNameHasOneProcess() {
        processes.start("broker-0", SLEEP);

        assertThatExceptionOfType(Failed.class).isThrownBy(() -> processes.start("broker-0", SLEEP))
                .withMessageContaining("runs already");
    }

    @Test
    void whatAProcessPrintsIsInItsLogAfterWhatItPrintedBefore() throws IOException {
        for (String word : List.of("first", "second")) {
            ProcessRecord started = processes.start("broker-0", List.of("echo", word));
            assertThat(processes.ends(started, PATIENCE)).isTrue();
        }

        assertThat(Files.readAllLines(folder.log("broker-0"))).containsExactly("first", "second");
    }

    @Test
    void theStartTimeIsReadBehindANameWithBracketsAndSpaces() {
        String line = "7 (a ) (b) S 1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 0 0";

        assertThat(ProcFs.parse(line)).isEqualTo(new ProcFs.Stat('S', 4711));
    }
}
