package io.millrace.wire.api;

import java.util.List;

import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKey;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKey;

/// A feature of the cluster (KIP-584) that clients act on. All nodes tell the same.
///
/// @param max highest level that is known here
/// @param finalized the level in force
record Feature(String name, short max, short finalized) {
    /// Level 2 lets clients leave AddPartitionsToTxn away and bumps their epochs at each end (KIP-890).
    private static final Feature TRANSACTION_VERSION = new Feature("transaction.version", (short) 2, (short) 2);

    private static final List<Feature> ALL = List.of(TRANSACTION_VERSION);
    private static final short FIRST_WITH_LEVEL_ZERO = 4;
    /// Nothing is ever finalized anew while a cluster runs.
    private static final long EPOCH = 0;

    /// Adds all of them to an answer of that version.
    static ApiVersionsResponseData tell(ApiVersionsResponseData answer, short version) {
        // Clients of before KIP-1022 take a lowest level of 0 for a malformed answer.
        short min = (short) (version < FIRST_WITH_LEVEL_ZERO ? 1 : 0);
        for (var feature : ALL) {
            answer.supportedFeatures().add(new SupportedFeatureKey().setName(feature.name()).setMinVersion(min)
                    .setMaxVersion(feature.max()));
            answer.finalizedFeatures().add(new FinalizedFeatureKey().setName(feature.name())
                    .setMinVersionLevel(feature.finalized()).setMaxVersionLevel(feature.finalized()));
        }
        return answer.setFinalizedFeaturesEpoch(EPOCH);
    }
}
