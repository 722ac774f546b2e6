package io.millrace.standalone.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Instance;
import io.millrace.standalone.process.Failed;
import org.jspecify.annotations.Nullable;

/// Whether the ports of a plan are free, seen by binding each of them for a moment.
final class PortCheck {

    private PortCheck() {}

    /// @throws Failed naming the first port that is taken and what it was for
    static void require(ClusterPlan plan) {
        plan.instances().forEach(PortCheck::require);
    }

    /// @throws Failed naming a port of the instance that is taken
    static void require(Instance instance) {
        for (Integer port : ports(instance)) {
            if (!free(port)) {
                throw new Failed("port " + port + " is in use, and " + instance.words()
                        + " needs it; choose other ports with --port-base");
            }
        }
    }

    /// Whether a cluster of that plan could bind all its ports now.
    static boolean free(ClusterPlan plan) {
        return plan.instances().stream().flatMap(it -> ports(it).stream()).allMatch(PortCheck::free);
    }

    private static List<Integer> ports(Instance instance) {
        return Stream.<@Nullable Integer>of(instance.port(), instance.httpPort()).filter(Objects::nonNull)
                .toList();
    }

    private static boolean free(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.ofLiteral(ClusterPlan.HOST))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
