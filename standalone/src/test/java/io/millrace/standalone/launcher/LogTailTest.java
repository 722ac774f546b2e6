package io.millrace.standalone.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {

    @TempDir
    private Path folder;

    @Test
    void theDescriptionOfSpringBootSaysMost() {
        assertThat(LogTail.reason(List.of("12:00 ERROR failed", "Description:", "Web server failed to start.",
                "Action:")))
                .isEqualTo("Web server failed to start.");
    }

    @Test
    void elseTheLastErrorDoesAndElseTheLastLine() {
        assertThat(LogTail.reason(List.of("1 ERROR first", "2 ERROR second", "3 INFO bye"))).isEqualTo(
                "2 ERROR second");
        assertThat(LogTail.reason(List.of("one", "two"))).isEqualTo("two");
        assertThat(LogTail.reason(List.of())).isEqualTo("it printed nothing");
    }

    @Test
    void whatAnEarlierProcessPrintedIsNotLookedAt() throws IOException {
        Path log = Files.writeString(folder.resolve("broker-0.log"), "1 ERROR old\n");
        long from = Files.size(log);
        Files.writeString(log, "1 ERROR old\n2 INFO new\n");

        assertThat(LogTail.reason(log, from)).isEqualTo("2 INFO new");
        assertThat(LogTail.reason(folder.resolve("none.log"), 0)).isEqualTo("it printed nothing");
    }
}
