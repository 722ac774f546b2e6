package io.millrace.log.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;

class OffsetMapTest {
    private static ByteBuffer key(int number) {
        return ByteBuffer.wrap(("key-" + number).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aFullMapKnowsTheLastOffsetOfEachKeyAndNoOther() {
        var random = new Random(7);
        Map<Integer, Long> model = new HashMap<>();
        try (var map = new OffsetMap(500, 0.9)) {
            for (long offset = 0; map.left() > 0; offset++) {
                int key = random.nextInt(700);
                map.put(key(key), offset);
                model.put(key, offset);
            }

            for (int key = 0; key < 900; key++) {
                assertThat(map.get(key(key))).isEqualTo(model.getOrDefault(key, OffsetMap.NONE));
            }
            assertThat(map.utilization()).isEqualTo(1.0);
        }
    }

    @Test
    void aMapForNothingFindsNothing() {
        try (var map = new OffsetMap(0, 0.9)) {
            assertThat(map.left()).isZero();
            assertThat(map.get(key(1))).isEqualTo(OffsetMap.NONE);
        }
    }

    @Test
    void aKeyIsLeftAsItWas() {
        var key = key(1);
        try (var map = new OffsetMap(1, 0.5)) {
            map.put(key, 3);
        }

        assertThat(key.position()).isZero();
    }
}
