package io.millrace.coordinator.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Stream;

import io.millrace.coordinator.record.CommittedOffset;
import io.millrace.coordinator.record.GroupRecord.OffsetRemoved;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OffsetExpiryTest {
    private static final long RETENTION = 100;

    private final GroupOffsets offsets = new GroupOffsets();

    static Stream<Arguments> rules() {
        return Stream.of(
                // use, commit, explicit expiry, now, expired
                Arguments.of(new GroupUse.Simple(), 1000, -1, 1099, false),
                Arguments.of(new GroupUse.Simple(), 1000, -1, 1100, true),
                Arguments.of(new GroupUse.Abandoned(1500), 1000, -1, 1599, false),
                Arguments.of(new GroupUse.Abandoned(1500), 1000, -1, 1600, true),
                Arguments.of(new GroupUse.Abandoned(-1), 1000, -1, 1100, true),
                Arguments.of(new GroupUse.Abandoned(500), 1000, -1, 1099, false),
                Arguments.of(new GroupUse.Subscribed(Set.of("t")), 1000, -1, 9999, false),
                Arguments.of(new GroupUse.Subscribed(Set.of("other")), 1000, -1, 1100, true),
                Arguments.of(new GroupUse.InUse(), 1000, -1, 9999, false),
                Arguments.of(new GroupUse.Abandoned(1500), 1000, 1010, 1010, true),
                Arguments.of(new GroupUse.Simple(), 1000, 5000, 4999, false),
                Arguments.of(new GroupUse.Subscribed(Set.of("t")), 1000, 1010, 9999, false));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void anOffsetExpiresByHowItsGroupUsesIt(GroupUse use, long commit, long expiry, long now, boolean expired) {
        offsets.put("t", 3, new CommittedOffset(7, -1, "", commit, expiry));

        var records = OffsetExpiry.expired("g", offsets, use, RETENTION, now);

        assertThat(records.contains(new OffsetRemoved("g", "t", 3))).isEqualTo(expired);
    }

    @Test
    void offsetsAreCountedAsTheyComeAndGo() {
        offsets.put("t", 0, new CommittedOffset(1, -1, "", 0, -1));
        offsets.put("t", 0, new CommittedOffset(2, -1, "", 0, -1));
        offsets.put("t", 1, new CommittedOffset(3, -1, "", 0, -1));
        offsets.remove("t", 0);
        offsets.remove("t", 0);
        offsets.remove("u", 0);

        assertThat(offsets.size()).isEqualTo(1);
        offsets.remove("t", 1);
        assertThat(offsets.isEmpty()).isTrue();
        assertThat(offsets.topics()).isEmpty();
    }
}
