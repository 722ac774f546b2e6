package io.millrace.tests.containers;

import java.time.Duration;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;

/// A container that is waited for until it has ended, with whatever exit code.
final class Ended extends StartupCheckStrategy {

    Ended() {
        withTimeout(Duration.ofMinutes(2));
    }

    @Override
    public StartupStatus checkStartupState(DockerClient client, String id) {
        ContainerState state = getCurrentState(client, id);
        return "exited".equals(state.getStatus()) ? StartupStatus.SUCCESSFUL : StartupStatus.NOT_YET_KNOWN;
    }
}
