package io.millrace.service.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.znode.ControllerNode;
import io.millrace.metadata.znode.ServiceRegistration;
import io.millrace.metadata.zookeeper.SessionState;
import io.millrace.metadata.zookeeper.ZnodeWrite;
import io.millrace.metadata.zookeeper.Znodes;
import io.millrace.metadata.zookeeper.ZooKeeperConfig;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Against a real ZooKeeper in this process.
class ZnodeActiveControllerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TestingServer server = start();
    private final SingleThreadLoop loop = new SingleThreadLoop("test");
    private final Znodes znodes = connect(server);
    private final ZnodeActiveController controllers = new ZnodeActiveController(znodes, loop);

    private static TestingServer start() {
        try {
            return new TestingServer(true);
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static Znodes connect(TestingServer server) {
        try {
            return Znodes.connect(new ZooKeeperConfig(server.getConnectString(), Duration.ofSeconds(4), PATIENCE),
                    new SimpleMeterRegistry());
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    @BeforeEach
    void parentsExist() {
        get(znodes.ensure("/services/controller"));
    }

    @AfterEach
    void close() throws Exception {
        controllers.close();
        znodes.close();
        loop.close();
        server.close();
    }

    @Test
    void whereNoneIsElectedOrRegisteredThereIsNone() {
        assertThatThrownBy(() -> get(controllers.locate())).hasCauseInstanceOf(IOException.class);

        get(znodes.create("/controller", new ControllerNode(1, 0).json()));

        assertThatThrownBy(() -> get(controllers.locate())).hasCauseInstanceOf(IOException.class)
                .hasMessageContaining("not registered");
    }

    @Test
    void theElectedOneIsFoundByItsRegistrationAndFollowedWhenItChanges() {
        register(0, 7000);
        register(1, 7001);
        get(znodes.create("/controller", new ControllerNode(0, 0).json()));

        assertThat(get(controllers.locate())).isEqualTo(new ControllerAddress(0, "localhost", 7000));

        get(znodes.set("/controller", new ControllerNode(1, 0).json(), ZnodeWrite.ANY_VERSION));

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(get(controllers.locate()).port()).isEqualTo(7001));
    }

    @Test
    void theLastAnswerStandsWhileZooKeeperIsAway() throws Exception {
        register(0, 7000);
        get(znodes.create("/controller", new ControllerNode(0, 0).json()));
        var known = get(controllers.locate());
        server.stop();
        await().atMost(PATIENCE).until(() -> znodes.state() != SessionState.CONNECTED);

        assertThat(get(controllers.locate())).isEqualTo(known);
        controllers.forget(known);
        assertThat(get(controllers.locate())).isEqualTo(known);
    }

    private void register(int id, int port) {
        get(znodes.create("/services/controller/" + id,
                new ServiceRegistration(id, "localhost", port, List.of(), null, null, "", 0).json()));
    }

    private static <T> T get(CompletableFuture<T> future) {
        return future.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }
}
