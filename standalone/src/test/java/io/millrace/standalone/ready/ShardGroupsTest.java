package io.millrace.standalone.ready;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class ShardGroupsTest {

    @Test
    void oneGroupFallsIntoEachShard() {
        assertThat(KafkaProbe.oneGroupAShard(50).stream().map(it -> (it.hashCode() & Integer.MAX_VALUE) % 50))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 50).boxed().collect(Collectors.toSet()));
    }
}
