package io.millrace.controller.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.millrace.controller.election.Vigil.Sign;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.CommandHandler;
import io.millrace.metadata.command.CommandRouter;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.endpoint.ControllerEndpoint;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.stream.MetadataPublisher;
import io.millrace.metadata.stream.StreamConfig;
import io.millrace.metadata.stream.Subscriber;
import io.millrace.metadata.stream.SubscriberListener;
import org.junit.jupiter.api.Test;

class PulseVigilIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<Sign> signs = new CopyOnWriteArrayList<>();
    private final PulseVigil vigil = new PulseVigil(Duration.ofSeconds(2));

    @Test
    void activeControllerLivesUntilItsPortIsClosed() {
        var publisher = publisher();
        publisher.activate(ClusterImage.EMPTY.at(new MetadataVersion(1, 0)));
        try (var endpoint = ControllerEndpoint.bind("localhost", 0, publisher, new CommandRouter(refusing(),
                ObservationRegistry.NOOP))) {
            vigil.keep(new ControllerAddress(1, "localhost", endpoint.address().getPort()), signs::add);
            await().atMost(PATIENCE).until(() -> signs.equals(List.of(Sign.ALIVE)));
        }

        await().atMost(PATIENCE).until(() -> signs.size() == 2);
        assertThat(signs).containsExactly(Sign.ALIVE, Sign.BROKEN);
    }

    @Test
    void controllerThatIsNotActiveGivesNoPulse() {
        try (var endpoint = ControllerEndpoint.bind("localhost", 0, publisher(), new CommandRouter(refusing(),
                ObservationRegistry.NOOP))) {
            vigil.keep(new ControllerAddress(1, "localhost", endpoint.address().getPort()), signs::add);

            await().atMost(PATIENCE).until(() -> signs.equals(List.of(Sign.BROKEN)));
        }
    }

    @Test
    void controllerThatHangsIsSilent() throws Exception {
        // The system accepts connections for a process that is stopped.
        try (var port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            vigil.keep(new ControllerAddress(1, "localhost", port.getLocalPort()), signs::add);

            await().atMost(PATIENCE).until(() -> signs.equals(List.of(Sign.SILENT)));
        }
    }

    private static MetadataPublisher publisher() {
        return new MetadataPublisher(StreamConfig.DEFAULT, new SubscriberListener() {
            @Override
            public void connected(Subscriber subscriber) {
                // Nobody subscribes.
            }

            @Override
            public void applied(Subscriber subscriber, MetadataVersion version) {
                // Nobody subscribes.
            }

            @Override
            public void disconnected(Subscriber subscriber) {
                // Nobody subscribes.
            }
        }, new SimpleMeterRegistry());
    }

    private static CommandHandler refusing() {
        return new CommandHandler() {
            @Override
            public <R> CompletableFuture<R> handle(Command<R> command) {
                return CompletableFuture.failedFuture(new IllegalStateException("no commands"));
            }
        };
    }
}
