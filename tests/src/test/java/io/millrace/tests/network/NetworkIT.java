package io.millrace.tests.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import io.millrace.tests.program.Program;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(Network.RESOURCE)
class NetworkIT {

    private final List<Process> servers = new ArrayList<>();

    @BeforeEach
    void possible() {
        Assumptions.assumeTrue(Network.isPossible(), "skipped: making network namespaces needs root");
    }

    @AfterEach
    void endServers() {
        servers.forEach(Process::destroyForcibly);
    }

    @Test
    void aCutHoldsBetweenTwoHostsAloneAndUntilItIsHealed() throws Exception {
        try (var network = Network.create()) {
            Host a = network.host("a");
            Host b = network.host("b");
            Host c = network.host("c");
            serve(b);

            network.cut(a, b);
            assertThat(reaches(a, b)).isFalse();
            assertThat(reaches(c, b)).isTrue();

            network.heal();
            assertThat(reaches(a, b)).isTrue();
        }
    }

    /// Returns once it listens.
    private void serve(Host host) throws Exception {
        var server = new ProcessBuilder(host.command(List.of("bash", "-c",
                "exec /usr/bin/python3 -c \"import socket\ns=socket.create_server(('" + host.address()
                        + "', 8000))\nprint('up', flush=True)\nwhile True: s.accept()\"")))
                .start();
        servers.add(server);
        assertThat(server.inputReader().readLine()).isEqualTo("up");
    }

    private static boolean reaches(Host from, Host to) {
        return Program.of(from.command(List.of("timeout", "2", "bash", "-c", "exec 3<>/dev/tcp/" + to.address()
                + "/8000"))).run().exitCode() == 0;
    }
}
