package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import io.millrace.log.CompactedLog.Seen;
import io.millrace.log.LogDirectory.Identity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is known of cleaned logs over a restart.
class CleanerCheckpointTest {
    private static final PartitionId ID = new PartitionId("t", 0);

    @TempDir
    Path root;

    private CompactedLog it;
    private LogDirectory directory;

    @BeforeEach
    void open() throws IOException {
        it = new CompactedLog(root);
        start(new UUID(1, 1));
    }

    private void start(UUID topicId) throws IOException {
        directory = LogDirectory.open(root, new Identity("c", 1), it.fixture.runtime());
        it.fixture.log = directory.openLog(ID, topicId, LogConfig.of(it.fixture.settings));
    }

    private String file(String name) throws IOException {
        return Files.readString(root.resolve(name));
    }

    @Test
    void itIsWrittenInTheFormatOfKafkaAfterEachClean() throws IOException {
        it.put("a=1");
        it.put("a=2");
        it.clean();

        assertThat(file("cleaner-offset-checkpoint")).isEqualTo("0\n1\nt 0 2\n");
    }

    @Test
    void aTombstoneThatWaitsGoesAfterARestartOfAQuietTopic() throws IOException {
        it.put("a=1");
        it.put("a=");
        it.put("b=1");
        it.clean();
        directory.close();
        start(new UUID(1, 1));
        assertThat(it.cleaner().cleanNext()).as("nothing is dirty").isFalse();

        it.pass(CompactedLog.DELETE_RETENTION_MS);

        assertThat(it.cleaner().cleanNext()).isTrue();
        assertThat(it.records()).containsExactly(new Seen(2, "b", "1"));
    }

    @Test
    void itFollowsATruncationBeforeThatIsDone() throws IOException {
        it.put("a=1");
        it.put("a=2");
        it.put("b=1");
        it.clean();

        it.log().truncateTo(2);

        assertThat(file("cleaner-offset-checkpoint")).isEqualTo("0\n1\nt 0 2\n");
    }

    @Test
    void aNewTopicOfTheSameNameIsNotTakenForClean() throws IOException {
        it.put("a=1");
        it.put("a=2");
        it.clean();
        directory.deleteLog(ID);
        assertThat(file("cleaner-offset-checkpoint")).isEqualTo("0\n0\n");
        directory.close();

        start(new UUID(1, 2));
        it.put("b=1");
        it.put("b=2");
        it.clean();

        assertThat(it.records()).containsExactly(new Seen(1, "b", "2"));
    }

    @Test
    void aFileThatMakesNoSenseCostsACleanAndNoMore() throws IOException {
        it.put("a=1");
        it.put("a=2");
        it.clean();
        directory.close();
        Files.writeString(root.resolve("cleaner-offset-checkpoint"), "rubbish");

        start(new UUID(1, 1));

        assertThat(it.cleaner().cleanNext()).isTrue();
        assertThat(it.records()).containsExactly(new Seen(1, "a", "2"));
    }
}
