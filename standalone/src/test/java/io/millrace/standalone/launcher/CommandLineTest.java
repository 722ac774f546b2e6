package io.millrace.standalone.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Mode;
import io.millrace.standalone.plan.Role;
import io.millrace.standalone.process.Failed;
import io.millrace.standalone.process.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTest {

    private static final Path HOME = Path.of("/home/data");

    private static Command parse(String line) {
        return CommandLine.parse(List.of(line.split(" ")), HOME);
    }

    @Test
    void upWithoutOptionsIsStandaloneInTheForeground() {
        assertThat(parse("up")).isEqualTo(
                new Command.Up(HOME, new ClusterPlan(Mode.STANDALONE, 1, 1, 1, 9092, Map.of()), false));
    }

    @Test
    void everyOptionOfUpIsTaken() {
        assertThat(parse("up --mode cluster --brokers 3 --coordinators=2 --controllers 2 --port-base 20000 --data /d"
                + " --set kafka.num.partitions=3 --set kafka.sasl.jaas.config=a=b"
                + " --set broker-2:kafka.broker.rack=c --detach")).isEqualTo(
                        new Command.Up(Path.of("/d"), new ClusterPlan(Mode.CLUSTER, 2, 3, 2, 20_000,
                                Map.of("kafka.num.partitions", "3", "kafka.sasl.jaas.config", "a=b",
                                        "broker-2:kafka.broker.rack", "c")),
                                true));
    }

    @Test
    void theOtherCommandsAreTaken() {
        assertThat(parse("status --json")).isEqualTo(new Command.Status(HOME, true));
        assertThat(parse("down --data /d")).isEqualTo(new Command.Down(Path.of("/d")));
        assertThat(parse("kill broker 1")).isEqualTo(new Command.Kill(HOME, Role.BROKER, 1, Signal.KILL));
        assertThat(parse("kill coordinator 1000 --signal STOP"))
                .isEqualTo(new Command.Kill(HOME, Role.COORDINATOR, 1000, Signal.STOP));
        assertThat(parse("start zookeeper 0")).isEqualTo(new Command.Start(HOME, Role.ZOOKEEPER, 0));
        assertThat(parse("logs -f admin 0")).isEqualTo(new Command.Logs(HOME, Role.ADMIN, 0, true));
        assertThat(parse("--help")).isEqualTo(new Command.Help());
    }

    @ParameterizedTest
    @CsvSource({"upp, unknown command", "up --mode both, unknown mode", "up --brokers 2, standalone",
            "up --brokers two, number",
            "up --brokers, no value", "up --fast, unknown option", "up now, unexpected",
            "up --set num.partitions=3, --set",
            "up --set kafka.listeners=x, bin/millrace itself", "up --set broker-0:kafka.listeners=x, itself",
            "up --set broker-1:kafka.broker.rack=x, broker-1", "up --data /a --data /b, twice", "kill broker, missing",
            "kill king 0, unknown role", "kill broker x, not an id", "kill broker 0 --signal HUP, unknown signal",
            "status -f, unknown option", "up --port-base 80, --port-base"})
    void whatIsWrongIsNamedAndEndsWithTwo(String line, String named) {
        assertThatExceptionOfType(Failed.class).isThrownBy(() -> parse(line)).withMessageContaining(named)
                .satisfies(it -> assertThat(it.exitCode()).isEqualTo(2));
    }
}
