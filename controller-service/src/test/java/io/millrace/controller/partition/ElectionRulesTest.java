package io.millrace.controller.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElectionRulesTest {

    /// An old tool writes into ZooKeeper what it likes.
    @ParameterizedTest(name = "topic {0}, all brokers {1}, else 3: {2}")
    @CsvSource(nullValues = "-", value = {"-,-,3", "2,-,2", "-,1,1", "2,1,2", "' 2 ',1,2", "many,1,1", "many,few,3",
            "'',-,3",
            "99999999999,-,3"})
    void theTopicGoesBeforeAllBrokersAndWhatIsNoNumberWasNotSet(@Nullable String topic, @Nullable String brokers,
            int minInSync) {
        var configs = ClusterImage.EMPTY.configs();
        if (topic != null) {
            configs = configs.with(ConfigResource.topic("t"), Map.of("min.insync.replicas", topic));
        }
        if (brokers != null) {
            configs = configs.with(ConfigResource.allBrokers(), Map.of("min.insync.replicas", brokers));
        }

        assertThat(new ElectionRules(false, 3).minInSync(ClusterImage.EMPTY.with(configs), "t")).isEqualTo(minInSync);
    }
}
