package io.millrace.coordinator.lag;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

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
        assertThat(Lags.of(List.of(new CommittedAt("shop", ORDERS, 5)), Map.of())).isEmpty();
        assertThat(Lags.of(List.of(), Map.of(ORDERS, 100L))).isEmpty();
    }

    @Test
    void gaugesAreThoseOfTheLastRoundAndNoMoreThanTheirBound() {
        var meters = new SimpleMeterRegistry();
        var metrics = new LagMetrics(meters, 2);

        metrics.tell(List.of(lag("a"), lag("b"), lag("c")));
        assertThat(meters.find("kafka.consumergroup.lag").gauges()).hasSize(2);
        assertThat(meters.get("millrace.coordinator.lag.untold").gauge().value()).isEqualTo(1);
        assertThat(meters.get("kafka.consumergroup.current.offset").tags("consumergroup", "a", "topic", "orders",
                "partition", "0").gauge().value()).isEqualTo(5);

        metrics.tell(List.of(lag("b")));
        assertThat(meters.find("kafka.consumergroup.lag").gauges()).extracting(gauge -> gauge.getId().getTag(
                "consumergroup")).containsExactly("b");
        assertThat(meters.get("millrace.coordinator.lag.untold").gauge().value()).isZero();
    }

    private static List<Long> lag(long committed, long end) {
        return Lags.of(List.of(new CommittedAt("shop", ORDERS, committed)), Map.of(ORDERS, end)).stream().map(Lag::lag)
                .toList();
    }

    private static Lag lag(String group) {
        return new Lag(new CommittedAt(group, ORDERS, 5), 1);
    }
}
