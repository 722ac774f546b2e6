package io.millrace.metadata.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.record.Delta;
import io.millrace.metadata.record.MetadataRecord.ClusterIdentified;
import io.millrace.metadata.record.Snapshot;
import io.millrace.metadata.stream.Follow.Apply;
import io.millrace.metadata.stream.Follow.Leave;
import io.millrace.metadata.stream.Follow.Stay;
import io.millrace.metadata.stream.StreamMessage.Applied;
import io.millrace.metadata.stream.StreamMessage.Change;
import io.millrace.metadata.stream.StreamMessage.Heartbeat;
import io.millrace.metadata.stream.StreamMessage.Whole;
import org.junit.jupiter.api.Test;

/// A node at version 5.10, told all kinds of things.
class FollowTest {
    private static final ClusterImage IMAGE = ClusterImage.EMPTY.at(at(5, 10));

    @Test
    void theNextDeltaIsApplied() {
        var follow = Follow.next(IMAGE, change(at(5, 10), at(5, 11)));

        assertThat(follow).isInstanceOfSatisfying(Apply.class, apply -> {
            assertThat(apply.after().version()).isEqualTo(at(5, 11));
            assertThat(apply.after().clusterId()).isEqualTo("c");
        });
    }

    @Test
    void aRepeatedDeltaChangesNothing() {
        assertThat(Follow.next(IMAGE, change(at(5, 9), at(5, 10)))).isInstanceOf(Stay.class);
    }

    @Test
    void aGapIsNeverApplied() {
        assertThat(Follow.next(IMAGE, change(at(5, 11), at(5, 12)))).isInstanceOf(Leave.class);
        assertThat(Follow.next(IMAGE, change(at(5, 9), at(5, 11)))).isInstanceOf(Leave.class);
        assertThat(Follow.next(IMAGE, new Heartbeat(at(5, 11)))).isInstanceOf(Leave.class);
    }

    @Test
    void aControllerOfAnOlderEpochIsLeft() {
        assertThat(Follow.next(IMAGE, change(at(4, 99), at(4, 100)))).isInstanceOf(Leave.class);
        assertThat(Follow.next(IMAGE, new Heartbeat(at(4, 100)))).isInstanceOf(Leave.class);
        assertThat(Follow.next(IMAGE, whole(at(4, 100)))).isInstanceOf(Leave.class);
        assertThat(Follow.next(IMAGE, whole(at(5, 9)))).isInstanceOf(Leave.class);
    }

    @Test
    void aSnapshotThatIsNotOlderIsApplied() {
        assertThat(Follow.next(IMAGE, whole(at(5, 10)))).isInstanceOf(Apply.class);
        assertThat(Follow.next(IMAGE, whole(at(6, 0)))).isInstanceOf(Apply.class);
    }

    @Test
    void whatOnlyGoesUpDoesNotComeDown() {
        assertThat(Follow.next(IMAGE, new Applied(at(5, 10)))).isInstanceOf(Leave.class);
    }

    private static Change change(MetadataVersion from, MetadataVersion to) {
        return new Change(new Delta(from, to, List.of(new ClusterIdentified("c"))));
    }

    private static Whole whole(MetadataVersion version) {
        return new Whole(new Snapshot(version, List.of()));
    }

    private static MetadataVersion at(int epoch, long sequence) {
        return new MetadataVersion(epoch, sequence);
    }
}
