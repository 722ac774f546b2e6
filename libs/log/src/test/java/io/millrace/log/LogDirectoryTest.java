package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import io.millrace.log.LogDirectory.FoundLog;
import io.millrace.log.LogDirectory.Identity;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.disk.Disk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogDirectoryTest {
    private static final Identity IDENTITY = new Identity("cluster", 3);
    private static final PartitionId ID = new PartitionId("my-topic.x", 4);
    private static final UUID TOPIC = new UUID(1, 2);

    @TempDir
    Path root;
    private LogFixture fixture;
    private LogDirectory directory;

    @BeforeEach
    void open() throws IOException {
        fixture = new LogFixture(root);
        directory = LogDirectory.open(root, IDENTITY, fixture.runtime());
    }

    @AfterEach
    void close() throws IOException {
        directory.close();
    }

    private PartitionLog openWith(int batches) throws IOException {
        var log = directory.openLog(ID, TOPIC, LogConfig.DEFAULTS);
        for (int i = 0; i < batches; i++) {
            log.append(TestBatch.batch().bytes(), 0, AppendOrigin.CLIENT);
        }
        log.updateHighWatermark(batches);
        return log;
    }

    @Test
    void logsAndTheirOffsetsAreFoundAgainAfterACleanStop() throws IOException {
        openWith(5).deleteRecordsBefore(2);
        directory.close();
        assertThat(root.resolve(".kafka_cleanshutdown")).exists();
        assertThat(root.resolve("recovery-point-offset-checkpoint")).hasContent("0\n1\nmy-topic.x 4 5\n");
        assertThat(root.resolve("log-start-offset-checkpoint")).hasContent("0\n1\nmy-topic.x 4 2\n");
        assertThat(root.resolve("replication-offset-checkpoint")).hasContent("0\n1\nmy-topic.x 4 5\n");

        directory = LogDirectory.open(root, IDENTITY, fixture.runtime());

        assertThat(directory.wasCleanShutdown()).isTrue();
        assertThat(root.resolve(".kafka_cleanshutdown")).doesNotExist();
        assertThat(directory.find()).containsExactly(new FoundLog(ID, TOPIC));
        directory.writeCheckpoints();
        assertThat(root.resolve("log-start-offset-checkpoint")).hasContent("0\n1\nmy-topic.x 4 2\n");
        var log = openWith(0);
        assertThat(log.checkpoint()).isEqualTo(new LogCheckpoint(5, 2, 5));
        assertThat(directory.find()).isEmpty();
        assertThat(directory.logs()).containsExactly(log);
        assertThatThrownBy(() -> openWith(0)).isInstanceOf(IllegalStateException.class);
    }

    /// The root of a volume has `lost+found`, which nobody but root may read; people leave files.
    @Test
    void whatIsNoLogIsLeftAlone() throws IOException {
        openWith(1);
        directory.close();
        Files.createDirectory(root.resolve("lost+found"), PosixFilePermissions.asFileAttribute(Set.of()));
        Files.createDirectory(root.resolve("notes-of-mine"));
        Files.writeString(root.resolve("my-topic.x-5"), "a file by the name of a log");
        Files.writeString(root.resolve("README"), "kept");

        directory = LogDirectory.open(root, IDENTITY, fixture.runtime());

        assertThat(directory.find()).containsExactly(new FoundLog(ID, TOPIC));
        assertThat(root).isDirectoryContaining("glob:**/lost+found").isDirectoryContaining("glob:**/notes-of-mine")
                .isDirectoryContaining("glob:**/README");
    }

    @Test
    void oneOwnerAtATimeAndOnlyOfItsOwnCluster() throws IOException {
        assertThatThrownBy(() -> LogDirectory.open(root, IDENTITY, fixture.runtime())).isInstanceOf(IOException.class)
                .hasMessageContaining("in use");
        directory.close();

        assertThatThrownBy(() -> LogDirectory.open(root, new Identity("other", 3), fixture.runtime())).isInstanceOf(
                IOException.class).hasMessageContaining("cluster.id=cluster");
        assertThatThrownBy(() -> LogDirectory.open(root, new Identity("cluster", 4), fixture.runtime())).isInstanceOf(
                IOException.class).hasMessageContaining("broker.id=3");

        directory = LogDirectory.open(root, IDENTITY, fixture.runtime());
        assertThat(root.resolve("meta.properties")).hasContent("version=0\nbroker.id=3\ncluster.id=cluster\n");
    }

    @Test
    void aLogOfAnOlderTopicOfThatNameIsNotMixedIn() throws IOException {
        openWith(5);
        directory.close();
        directory = LogDirectory.open(root, IDENTITY, fixture.runtime());

        var log = directory.openLog(ID, new UUID(8, 9), LogConfig.DEFAULTS);

        assertThat(log.logEndOffset()).isZero();
        fixture.loop.advance(Duration.ofMinutes(1));
        assertThat(directories()).containsExactly("my-topic.x-4");
    }

    @Test
    void aDeletionIsFinishedAfterARestart() throws IOException {
        openWith(5);
        directory.deleteLog(ID);
        directory.deleteLog(ID);
        assertThat(directories()).singleElement().satisfies(name -> assertThat(name).matches(
                "my-topic\\.x-4\\.[0-9a-f]{32}-delete"));
        directory.close();

        directory = LogDirectory.open(root, IDENTITY, fixture.runtime());
        InterruptedMoves.settle(List.of(directory), true);

        assertThat(directory.find()).isEmpty();
        fixture.loop.advance(Duration.ofMinutes(1));
        assertThat(directories()).isEmpty();
    }

    @Test
    void checkpointsThatMakeNoSenseOnlyMeanMoreWork() throws IOException {
        openWith(5);
        directory.close();
        Files.writeString(root.resolve("recovery-point-offset-checkpoint"), "0\n2\nmy-topic.x 4");
        Files.delete(root.resolve(".kafka_cleanshutdown"));

        directory = LogDirectory.open(root, IDENTITY, fixture.runtime());

        assertThat(openWith(0).logEndOffset()).isEqualTo(5);
    }

    @Test
    void aDirectoryClosedBeforeItsLogsWereOpenedAfterACrashIsNotMarkedClean() throws IOException {
        openWith(5);
        directory.close();
        Files.delete(root.resolve(".kafka_cleanshutdown"));

        LogDirectory.open(root, IDENTITY, fixture.runtime()).close();

        directory = LogDirectory.open(root, IDENTITY, fixture.runtime());
        assertThat(directory.wasCleanShutdown()).isFalse();
        openWith(0);
        directory.close();
        directory = LogDirectory.open(root, IDENTITY, fixture.runtime());
        assertThat(directory.wasCleanShutdown()).isTrue();
    }

    @Test
    void aDirectoryClosedBeforeItsLogsWereOpenedStaysMarkedCleanWhereItWas() throws IOException {
        openWith(5);
        directory.close();

        LogDirectory.open(root, IDENTITY, fixture.runtime()).close();

        directory = LogDirectory.open(root, IDENTITY, fixture.runtime());
        assertThat(directory.wasCleanShutdown()).isTrue();
    }

    @Test
    void aDirectoryWhoseDiskFailedIsNotMarkedClean() throws IOException {
        directory.close();
        var disk = new FailingDisk();
        fixture.disk = disk;
        directory = LogDirectory.open(root, IDENTITY, fixture.runtime());
        openWith(1);
        disk.failWrites();

        assertThatThrownBy(() -> directory.close()).isInstanceOf(IOException.class);

        fixture.disk = Disk.FILES;
        directory = LogDirectory.open(root, IDENTITY, fixture.runtime());
        assertThat(directory.wasCleanShutdown()).isFalse();
        assertThat(openWith(0).logEndOffset()).isEqualTo(1);
    }

    private List<String> directories() throws IOException {
        return fixture.disk.list(root).stream().filter(name -> fixture.disk.isDirectory(root.resolve(name))).toList();
    }
}
