package io.millrace.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.log.PartitionId;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.service.config.ServerSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicationQuotasTest {
    private static final int SELF = 2;
    private static final PartitionId PARTITION = new PartitionId("t", 1);
    private static final String RATE = "follower.replication.throttled.rate";
    private static final String REPLICAS = "follower.replication.throttled.replicas";

    private final SimulatedLoop loop = new SimulatedLoop();
    private final ReplicationQuotas quotas = new ReplicationQuotas(SELF, ServerSettings.of(new HashMap<>(Map.of(
            "zookeeper.connect", "nowhere:2181", "replication.quota.window.num", "5"))), loop.ticker());
    private ClusterImage image = ClusterImage.EMPTY;

    private void set(ConfigResource resource, Map<String, String> values) {
        image = image.with(image.configs().with(resource, values));
        quotas.apply(image, new Changes(Set.of(), Set.of(), Set.of(), Set.of(resource), Set.of()));
    }

    private void throttleTo(long bytesPerSecond) {
        set(ConfigResource.broker(SELF), Map.of(RATE, Long.toString(bytesPerSecond)));
        set(ConfigResource.topic("t"), Map.of(REPLICAS, "0:1,1:2"));
    }

    @ParameterizedTest(name = "\"{0}\" throttles partition {1} of broker 2: {2}")
    @CsvSource({"'*',7,true", "'1:2',1,true", "'1:2',2,false", "'1:3',1,false", "'0:1, 1:2',1,true", "'none',1,false",
            "'',1,false", "'11:2',1,false", "'1:22',1,false",
            "'x:2,1:2',1,true", "'99999999999:2',1,false", "':2',1,false", "'1:2:2',1,false"})
    void theListNamesReplicasByPartitionAndBroker(String list, int partition, boolean throttled) {
        assertThat(ThrottledReplicas.of(list, SELF).contains(partition)).isEqualTo(throttled);
    }

    @Test
    void onlyWhatIsMovedForThrottledReplicasCounts() {
        throttleTo(1000);
        quotas.follower().moved(new PartitionId("t", 0), 1_000_000);
        quotas.follower().moved(new PartitionId("other", 1), 1_000_000);
        assertThat(quotas.follower().exceeded()).isFalse();

        quotas.follower().moved(PARTITION, 1001);

        assertThat(quotas.follower().holdsBack(PARTITION)).isTrue();
        assertThat(quotas.follower().holdsBack(new PartitionId("t", 0))).isFalse();
        assertThat(quotas.leader().holdsBack(PARTITION)).isFalse();
    }

    /// An old tool writes into ZooKeeper what it likes.
    @Test
    void aRateThatIsNoNumberWasNotSet() {
        set(ConfigResource.allBrokers(), Map.of(RATE, "1000"));
        set(ConfigResource.broker(SELF), Map.of(RATE, "fast"));
        set(ConfigResource.topic("t"), Map.of(REPLICAS, "*"));

        quotas.follower().moved(PARTITION, 3500);

        assertThat(quotas.follower().exceeded()).isTrue();
    }

    @Test
    void aBurstIsPaidBackWithTime() {
        throttleTo(1000);
        quotas.follower().moved(PARTITION, 3500);
        assertThat(quotas.follower().exceeded()).isTrue();

        loop.advance(Duration.ofSeconds(3));
        assertThat(quotas.follower().exceeded()).isTrue();

        loop.advance(Duration.ofMillis(501));
        assertThat(quotas.follower().exceeded()).isFalse();
    }

    @Test
    void overManySecondsNoMoreIsMovedThanAllowed() {
        throttleTo(1000);
        long moved = 0;
        for (int tick = 0; tick < 1000; tick++) {
            if (!quotas.follower().holdsBack(PARTITION)) {
                quotas.follower().moved(PARTITION, 400);
                moved += 400;
            }
            loop.advance(Duration.ofMillis(100));
        }
        assertThat(moved).isBetween(90_000L, 125_000L);
    }

    @Test
    void theOwnRateGoesBeforeThatOfAllBrokersAndNeitherMeansNoLimit() {
        set(ConfigResource.topic("t"), Map.of(REPLICAS, "*"));
        quotas.follower().moved(PARTITION, 5000);
        assertThat(quotas.follower().exceeded()).isFalse();

        set(ConfigResource.allBrokers(), Map.of(RATE, "1000"));
        assertThat(quotas.follower().exceeded()).isTrue();

        set(ConfigResource.broker(SELF), Map.of(RATE, "100000"));
        assertThat(quotas.follower().exceeded()).isFalse();

        set(ConfigResource.broker(SELF), Map.of());
        set(ConfigResource.allBrokers(), Map.of());
        assertThat(quotas.follower().exceeded()).isFalse();
    }

    @Test
    void aTopicWhoseListIsTakenAwayIsThrottledNoLonger() {
        throttleTo(1000);
        set(ConfigResource.topic("t"), Map.of());

        assertThat(quotas.follower().throttles(PARTITION)).isFalse();
    }
}
