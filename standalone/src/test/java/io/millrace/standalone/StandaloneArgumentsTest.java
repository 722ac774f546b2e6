package io.millrace.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;

import io.millrace.standalone.plan.Role;
import org.junit.jupiter.api.Test;

class StandaloneArgumentsTest {

    @Test
    void aRolesOwnArgumentsGoToItAloneAndTheOthersToEveryService() {
        var arguments = StandaloneArguments.of(new String[]{"--broker.server.port=1", "--kafka.num.partitions=3",
                "--zookeeper.address=127.0.0.1:2", "--debug=true"});

        assertThat(arguments.service(Role.BROKER)).containsExactly("--kafka.num.partitions=3", "--debug=true",
                "--server.port=1");
        assertThat(arguments.service(Role.ADMIN)).containsExactly("--kafka.num.partitions=3", "--debug=true");
        assertThat(arguments.of(Role.ZOOKEEPER)).containsExactly(Map.entry("address", "127.0.0.1:2"));
    }

    @Test
    void aRolesOwnArgumentReplacesTheSharedOne() {
        var arguments = StandaloneArguments.of(new String[]{"--broker.kafka.num.partitions=9",
                "--kafka.num.partitions=3"});

        assertThat(arguments.service(Role.BROKER)).containsExactly("--kafka.num.partitions=9");
    }

    @Test
    void whatIsNoArgumentIsNamed() {
        assertThatIllegalArgumentException().isThrownBy(() -> StandaloneArguments.of(new String[]{"broker"}))
                .withMessageContaining("broker");
    }
}
