package io.millrace.coordinator.lag;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.coordinator.lag.CommittedAt.PartitionName;
import io.millrace.coordinator.lag.Lags.Lag;
import org.junit.jupiter.api.Test;

class LagsTest {
    private static final PartitionName ORDERS = new PartitionName("orders", 0);

    @Test
    void lagIsWhatWasWrittenAndNotCommitted() {
        assertThat(lag(40, 100)).containsExactly(60L);
        assertThat(lag(100, 100)).containsExactly(0L);
    }

    @Test
    void commitBeyondTheEndIsNotBehind() {
        assertThat(lag(120, 100)).containsExactly(0L);
    }

    @Test
    void whereTheEndIsUnknownThereIsNoLag() {
        assertThat(lags(List.of(new CommittedAt("shop", ORDERS, 5)), Map.of())).isEmpty();
        assertThat(lags(List.of(), Map.of(ORDERS, 100L))).isEmpty();
    }

    @Test
    void gaugesAreThoseOfTheLastRoundAndNoMoreThanTheirBound() {
        var meters = new SimpleMeterRegistry();
        var metrics = new LagMetrics(meters, 2, () -> "c1");

        metrics.tell(List.of(lag("a"), lag("b"), lag("c")));
        assertThat(meters.find("kafka.consumergroup.lag").gauges()).hasSize(2);
        assertThat(meters.get("millrace.coordinator.lag.untold").gauge().value()).isEqualTo(1);
        assertThat(meters.get("kafka.consumergroup.current.offset").tags("consumergroup", "a", "topic", "orders",
                "partition", "0").gauge().value()).isEqualTo(5);

        for (var name : List.of("group.lag", "group.offset", "group.lag.seconds", "group.sum.lag", "group.max.lag",
                "group.max.lag.seconds")) {
            assertThat(meters.find("kafka.consumergroup." + name).tags("cluster_name", "c1", "group", "b").gauges())
                    .as(name).hasSize(1);
        }
        assertThat(meters.get("kafka.consumergroup.group.lag.seconds").tag("group", "a").gauge().value()).isEqualTo(
                2.5);

        metrics.tell(List.of(lag("b")));
        assertThat(meters.find("kafka.consumergroup.lag").gauges()).extracting(gauge -> gauge.getId().getTag(
                "consumergroup")).containsExactly("b");
        assertThat(meters.get("millrace.coordinator.lag.untold").gauge().value()).isZero();
    }

    private static List<Long> lag(long committed, long end) {
        return lags(List.of(new CommittedAt("shop", ORDERS, committed)), Map.of(ORDERS, end)).stream().map(Lag::lag)
                .toList();
    }

    private static List<Lag> lags(List<CommittedAt> committed, Map<PartitionName, Long> ends) {
        return Lags.of(committed, ends, new EndHistory(), 0);
    }

    private static Lag lag(String group) {
        return new Lag(new CommittedAt(group, ORDERS, 5), 1, OptionalDouble.of(2.5));
    }
}
