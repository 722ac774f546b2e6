package io.millrace.standalone.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedZooKeeperIT {

    @TempDir
    private Path data;

    @Test
    void whatWasWrittenIsThereAfterARestart() throws Exception {
        InetSocketAddress address = freeAddress();
        try (var _ = EmbeddedZooKeeper.start(address, data); CuratorFramework client = client(address)) {
            client.create().creatingParentsIfNeeded().forPath("/brokers/topics/t", "kept".getBytes(
                    StandardCharsets.UTF_8));
        }
        try (var _ = EmbeddedZooKeeper.start(address, data); CuratorFramework client = client(address)) {
            assertThat(client.getData().forPath("/brokers/topics/t")).asString(StandardCharsets.UTF_8).isEqualTo(
                    "kept");
        }
    }

    @Test
    void aPortThatIsTakenFailsTheStart() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort());

            assertThatException().isThrownBy(() -> EmbeddedZooKeeper.start(address, data).close())
                    .withMessageContaining("in use");
        }
    }

    @Test
    void argumentsThatAreMissingWrongOrUnknownAreNamed() {
        assertThatIllegalArgumentException().isThrownBy(() -> ZooKeeperArguments.of(Map.of("data", "/d")))
                .withMessageContaining("address");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ZooKeeperArguments.of(Map.of("address", "host", "data", "/d")))
                .withMessageContaining("address=host");
        assertThatIllegalArgumentException().isThrownBy(() -> ZooKeeperArguments.of(Map.of("port", "1")))
                .withMessageContaining("port");
    }

    private static InetSocketAddress freeAddress() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
        }
    }

    private static CuratorFramework client(InetSocketAddress address) {
        CuratorFramework client = CuratorFrameworkFactory.newClient(address.getHostString() + ":" + address.getPort(),
                new RetryOneTime(100));
        client.start();
        return client;
    }
}
