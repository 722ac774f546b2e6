package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;

import io.millrace.metadata.image.EligibleReplica;
import io.millrace.metadata.image.PartitionImage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurabilityTest {

    /// As long as the controller keeps others that could lead, the ISR that it knows is not enough, whatever this broker makes
    /// of `min.insync.replicas`.
    @ParameterizedTest(name = "of {0} replicas isr {1} and elr {2} with min.insync.replicas={3}: {4} are needed")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            3 | 1     | -   | 1 | 1
            3 | 1     | -   | 2 | 2
            1 | 1     | -   | 2 | 1
            3 | 1     | 2,3 | 1 | 2
            3 | 1     | 2   | 3 | 3
            3 | 1,2   | 3   | 2 | 3
            """)
    void needsMoreThanAreInSyncWhereOthersAreEligible(int replicas, String isr, @Nullable String elr, int minInSync,
            int needed) {
        var told = new PartitionImage(0, Stream.iterate(1, it -> it + 1).limit(replicas).toList(), ids(isr), List.of(),
                List
                        .of(), 1, 4, 9, elr == null
                                ? List.of()
                                : ids(elr).stream().map(it -> new EligibleReplica(it, "a")).toList());

        assertThat(Durability.of(told, minInSync).needed()).isEqualTo(needed);
    }

    private static List<Integer> ids(String text) {
        return Stream.of(text.split(",", -1)).map(Integer::valueOf).toList();
    }
}
