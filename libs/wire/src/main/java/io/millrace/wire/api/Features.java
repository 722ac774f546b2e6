package io.millrace.wire.api;

import java.util.Map;

import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKey;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKey;

/// Kafka's features (KIP-584) that all nodes have, each at one level that never changes while a cluster runs.
final class Features {
    /// `group.version` 1: consumer groups of KIP-848. `transaction.version` 2: clients leave AddPartitionsToTxn away and get
    /// a new epoch at each end (KIP-890).
    private static final Map<String, Short> LEVELS = Map.of("group.version", (short) 1, "transaction.version",
            (short) 2);
    /// There is one state of the features only.
    private static final long EPOCH = 0;

    private Features() {}

    static ApiVersionsResponseData tell(ApiVersionsResponseData answer) {
        LEVELS.forEach((name, level) -> {
            // Clients of Kafka 3 take no lowest version of 0.
            answer.supportedFeatures().add(new SupportedFeatureKey().setName(name).setMinVersion((short) 1)
                    .setMaxVersion(level));
            answer.finalizedFeatures().add(new FinalizedFeatureKey().setName(name).setMinVersionLevel(level)
                    .setMaxVersionLevel(level));
        });
        return answer.setFinalizedFeaturesEpoch(EPOCH);
    }
}
