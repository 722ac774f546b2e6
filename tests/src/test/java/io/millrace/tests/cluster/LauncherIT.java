package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.millrace.tests.cluster.ClusterStatus.Service;
import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import io.millrace.tests.program.Home;
import io.millrace.tests.program.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The contract of `bin/millrace`.
@UsesClusters
class LauncherIT {

    private final Clusters clusters;

    @TempDir
    private Path folder;

    LauncherIT(Clusters clusters) {
        this.clusters = clusters;
    }

    @Test
    void twoClustersRunSideBySide() {
        var standalone = new Kafka(clusters.of(Mode.STANDALONE).bootstrap());
        var cluster = new Kafka(clusters.of(Mode.CLUSTER).bootstrap());

        standalone.produce("side-by-side", Map.of(), List.of(Message.of("k", "one")));
        cluster.produce("side-by-side", Map.of(), List.of(Message.of("k", "other")));

        assertThat(standalone.readAll("side-by-side")).containsExactly(Message.of("k", "one"));
        assertThat(cluster.readAll("side-by-side")).containsExactly(Message.of("k", "other"));
    }

    @Test
    void statusNamesEveryServiceWithItsProcess() {
        ClusterStatus cluster = clusters.of(Mode.CLUSTER).status();

        assertThat(cluster.services()).allSatisfy(it -> assertThat(it.state()).isEqualTo("ready"));
        assertThat(cluster.services()).extracting(Service::pid).doesNotHaveDuplicates().doesNotContainNull();
        assertThat(cluster.services().stream().map(it -> it.role() + it.id())).containsExactly("zookeeper0",
                "controller0",
                "controller1", "broker0", "broker1", "broker2", "coordinator1000", "coordinator1001", "admin0");
        assertThat(cluster.bootstrap().split(",", -1)).containsExactly(cluster.service("broker", 0).kafka(),
                cluster.service("broker", 1).kafka(), cluster.service("broker", 2).kafka());
        assertThat(clusters.of(Mode.STANDALONE).status().services()).extracting(Service::pid).containsOnly(
                clusters.of(Mode.STANDALONE).status().service("broker", 0).pid());
    }

    /// A JVM that it does not fit would go on without it, and without a word.
    @Test
    void everyServiceHasTheStartUpCacheThatWasMadeUnderLoad() {
        assertThat(clusters.of(Mode.CLUSTER).status().services()).allSatisfy(it -> assertThat(Path.of("/proc", String
                .valueOf(it.pid()), "maps")).content().contains("millrace.aot"));
        assertThat(Home.root().resolve("standalone/target/dist/millrace.aot.log")).content().doesNotContain(
                "Training with");
    }

    @Test
    void aServiceIsStoppedAndContinuedWithoutItsProcessEnding() {
        Cluster cluster = clusters.of(Mode.CLUSTER);
        Long pid = cluster.status().service("admin", 0).pid();

        cluster.run("kill", "admin", "0", "--signal", "STOP").succeeded();
        await().untilAsserted(() -> assertThat(cluster.status().service("admin", 0).state()).isEqualTo("stopped"));
        cluster.run("kill", "admin", "0", "--signal", "CONT").succeeded();

        await().atMost(Kafka.LIMIT)
                .untilAsserted(() -> assertThat(cluster.status().service("admin", 0).state()).isEqualTo("ready"));
        assertThat(cluster.status().service("admin", 0).pid()).isEqualTo(pid);
        assertThat(cluster.run("logs", "admin", "0").succeeded().out()).isNotBlank();
    }

    @Test
    void aFolderOfARunningClusterIsRefused() {
        Cluster running = clusters.of(Mode.STANDALONE);

        var refused = running.tryUp();

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err().lines()).singleElement().asString().contains("a cluster runs on " + running.data());
        assertThat(running.status().services()).allSatisfy(it -> assertThat(it.state()).isEqualTo("ready"));
    }

    @Test
    void aPortThatIsTakenIsNamed() throws IOException {
        var cluster = Cluster.of("port-taken", List.of());
        try (cluster; var _ = new ServerSocket(cluster.portBase() + 20, 1, InetAddress.getLoopbackAddress())) {
            var refused = cluster.tryUp();

            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err().lines()).singleElement().asString()
                    .contains("port " + (cluster.portBase() + 20) + " is in use", "coordinator 1000");
            assertThat(cluster.run("status").exitCode()).isEqualTo(3);
        }
    }

    @Test
    void aFolderOfAnotherVersionIsLeftAsItIs() throws IOException {
        Path mark = Files.writeString(folder.resolve("millrace.json"), "{\"format\":99}");

        var refused = Cluster.millrace("up", "--detach", "--data", folder.toString());

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err().lines()).singleElement().asString().contains("format 99");
        assertThat(Files.readString(mark)).isEqualTo("{\"format\":99}");
        assertThat(folder.toFile().list()).containsExactly("millrace.json");
    }

    @Test
    void aFolderOfSomethingElseIsLeftAsItIs() throws IOException {
        Files.writeString(folder.resolve("letter.txt"), "Dear");

        var refused = Cluster.millrace("up", "--detach", "--data", folder.toString());

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err().lines()).singleElement().asString().contains("not a data folder");
        assertThat(folder.toFile().list()).containsExactly("letter.txt");
    }

    @Test
    void aSettingThatDoesNotExistOrHasABadValueStopsTheStartByItsName() {
        try (var cluster = Cluster.of("bad-setting", List.of())) {
            var unknown = cluster.tryUp("--set", "kafka.log.segment.bites=100");
            assertThat(unknown.exitCode()).isEqualTo(1);
            assertThat(unknown.err().lines()).singleElement().asString().contains("log.segment.bites");

            var wrong = cluster.tryUp("--set", "kafka.log.segment.bytes=many");
            assertThat(wrong.exitCode()).isEqualTo(1);
            assertThat(wrong.err().lines()).singleElement().asString().contains("log.segment.bytes");
            assertThat(cluster.run("status").exitCode()).isEqualTo(3);
        }
    }

    @Test
    void wrongUsageIsToldInOneLine() {
        for (List<String> arguments : List.of(List.of("upp"), List.of("up", "--mode", "both"), List.of("up",
                "--brokers", "2"),
                List.of("up", "--set", "log.dirs=x"), List.of("kill", "broker"), List.of("start", "king", "0"))) {
            var refused = Cluster.millrace(arguments.toArray(String[]::new));
            assertThat(refused.exitCode()).as("%s", arguments).isEqualTo(2);
            assertThat(refused.err().lines()).as("%s", arguments).hasSize(1);
        }
    }

    @Test
    void inTheForegroundItEndsCleanlyOnCtrlC() throws Exception {
        try (var cluster = Cluster.of("foreground", List.of())) {
            Path out = folder.resolve("out");
            // A shell's background jobs, of which this test may be one, ignore what Ctrl-C sends, and so do their children.
            Process launcher = new ProcessBuilder("env", "--default-signal=INT",
                    Home.root().resolve("bin/millrace").toString(), "up", "--data", cluster.data().toString(),
                    "--port-base",
                    String.valueOf(cluster.portBase())).redirectOutput(out.toFile()).redirectErrorStream(true).start();
            await().atMost(Kafka.LIMIT.multipliedBy(2)).until(() -> Files.readString(out).contains("Ctrl-C ends it"));
            Long pid = cluster.status().service("broker", 0).pid();
            new Kafka(cluster.bootstrap()).produce("kept", Map.of(), List.of(Message.of("k", "v")));

            Program.of(List.of("bash", "-c", "kill -INT " + launcher.pid())).run().succeeded();

            assertThat(launcher.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(launcher.exitValue()).as(Files.readString(out)).isZero();
            assertThat(ProcessHandle.of(Objects.requireNonNull(pid))).isEmpty();
            assertThat(cluster.run("status").exitCode()).isEqualTo(3);

            cluster.up();
            assertThat(new Kafka(cluster.bootstrap()).readAll("kept")).containsExactly(Message.of("k", "v"));
        }
    }
}
