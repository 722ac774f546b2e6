package io.millrace.log.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CleanerSettingsTest {
    @ParameterizedTest
    @CsvSource({"134217728, 0.9, 1", "134217728, 0.9, 4", "1048576, 0.5, 2", "600, 0.9, 1"})
    void theKeyMapsOfAllThreadsTogetherFitIntoTheDedupeBuffer(long bytes, double loadFactor, int threads) {
        var settings = new CleanerSettings(bytes, loadFactor, 1 << 20, Double.MAX_VALUE, threads, Duration.ZERO);

        long keys = settings.keysPerThread();

        try (var map = new OffsetMap(keys, loadFactor)) {
            assertThat(map.sizeBytes() * threads).isLessThanOrEqualTo(bytes + 2L * OffsetMap.SLOT_BYTES * threads);
        }
        assertThat(keys).as("and leave no room unused").isGreaterThanOrEqualTo((long) (bytes * loadFactor / threads
                / OffsetMap.SLOT_BYTES) - 1);
        assertThat(settings.bufferBytes() * 2L * threads).isLessThanOrEqualTo(1 << 20);
    }
}
