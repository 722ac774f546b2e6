package io.millrace.broker.isr;

import java.util.function.Supplier;

import io.millrace.broker.partition.LeaderContext.Eligibility;
import io.millrace.metadata.image.ClusterImage;

/// Who may join an ISR, by the metadata (KIP-841, KIP-903).
///
/// @param images the newest image
public record LiveBrokers(Supplier<ClusterImage> images) implements Eligibility {
    private static final long NOT_SAID = -1;

    @Override
    public boolean eligible(int broker, long brokerEpoch) {
        return images.get()
                .broker(broker)
                .filter(known -> known.active() && (brokerEpoch == NOT_SAID || known.epoch() == brokerEpoch))
                .isPresent();
    }
}
