package io.millrace.tests.containers;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Capability;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.utility.DockerImageName;

/// Single services from the image, as Kubernetes would run them.
class ImageIT {

    @BeforeAll
    static void prepare() {
        Docker.prepare();
    }

    @Test
    void imageSaysWhatItIsAndIsNobodysRoot() {
        assertThat(Docker.inspect("millrace:dev", "{{.Config.User}}")).isEqualTo("10001:10001");
        assertThat(Docker.inspect("millrace:dev", "{{json .Config.Labels}}")).contains(
                "org.opencontainers.image.title\":\"Millrace", "org.opencontainers.image.revision",
                "org.opencontainers.image.licenses\":\"Apache-2.0");
        assertThat(Docker.inspect("millrace:dev", "{{json .Config.Healthcheck.Test}}")).startsWith("[\"CMD\",\"java\"");
        assertThat(Docker.inspect("millrace:dev", "{{json .Config.Entrypoint}}")).startsWith("[\"java\"");
    }

    @Test
    void serviceOfNoSuchNameEndsWithUsage() {
        assertThat(Docker.docker("run", "--rm", "--entrypoint", "java", "millrace:dev", "@/opt/millrace/service.args",
                "-version")).contains("25");
        try (var wrong = container("broken").withCommand("brokr")) {
            wrong.withStartupCheckStrategy(new Ended()).start();
            assertThat(wrong.getLogs()).contains("usage: broker|coordinator|controller|admin-api");
        }
    }

    @Test
    void brokerOnAReadOnlyRootWithoutRightsIsHealthyServesAndStopsOnTerm() {
        try (var network = Network.newNetwork();
                var zookeeper = new GenericContainer<>(DockerImageName.parse("zookeeper:3.9")).withNetwork(network)
                        .withNetworkAliases("zookeeper");
                var controller = container("controller-0").withNetwork(network).withNetworkAliases("controller-0")
                        .withEnv("LOGGING_STRUCTURED_FORMAT_CONSOLE", "ecs").withCommand("controller");
                var broker = container("broker-0").withNetwork(network).withNetworkAliases("broker-0")
                        .withCommand("broker");
                var coordinator = container("coordinator-0").withNetwork(network).withNetworkAliases("coordinator-0")
                        .withEnv("MILLRACE_NODE_FIRST_ID", "1000").withCommand("coordinator");
                var check = container("check").withNetwork(network).withCommand("check", "broker-0:9092")) {
            List.of(broker, coordinator, zookeeper, controller).forEach(GenericContainer::start);
            await("it is healthy").atMost(Duration.ofMinutes(2)).until(() -> Docker.inspect(broker.getContainerId(),
                    "{{.State.Health.Status}}").equals("healthy"));
            check.withStartupCheckStrategy(new Ended()).start();
            assertThat(check.getLogs()).contains("clients are served");

            assertThat(controller.getLogs()).as("a log in JSON").contains("{\"@timestamp\":");

            Docker.docker("stop", "-t", "60", broker.getContainerId());
            assertThat(Docker.inspect(broker.getContainerId(), "{{.State.ExitCode}} {{.State.OOMKilled}}")).isEqualTo(
                    "143 false");
            assertThat(broker.getLogs()).contains("step=hand-over", "left the cluster");
        }
    }

    private static GenericContainer<?> container(String host) {
        Consumer<CreateContainerCmd> hardened = create -> requireNonNull(create.withHostName(host).getHostConfig())
                .withReadonlyRootfs(true).withCapDrop(Capability.ALL).withMemory(512L << 20);
        return new GenericContainer<>(DockerImageName.parse("millrace:dev")).withEnv(Map.of(
                "KAFKA_ZOOKEEPER_CONNECT", "zookeeper:2181/single", "MILLRACE_NODE_FIRST_ID", "0",
                "KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR", "1", "KAFKA_LISTENERS", "PLAINTEXT://:9092",
                "KAFKA_ADVERTISED_LISTENERS", "PLAINTEXT://" + host + ":9092", "KAFKA_LOG_DIRS", "/tmp/data"))
                .withTmpFs(Map.of("/tmp", "exec,mode=1777")).withCreateContainerCmdModifier(hardened);
    }
}
