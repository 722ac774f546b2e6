package io.millrace.metadata.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.record.Delta;
import io.millrace.metadata.record.MetadataRecord.ClusterIdentified;
import io.millrace.metadata.record.Replay;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private final Backlog backlog = new Backlog(3, 1 << 20);
    private ClusterImage image = ClusterImage.EMPTY.at(new MetadataVersion(1, 0));

    BacklogTest() {
        backlog.reset(image);
    }

    @Test
    void whoHasEverythingGetsNothing() {
        assertThat(backlog.next(image.version())).isNull();
    }

    @Test
    void whoLagsGetsTheDeltaThatFollows() {
        var before = image.version();
        append();
        append();

        var next = next(before);

        assertThat(next.isSnapshot()).isFalse();
        assertThat(next.to()).isEqualTo(new MetadataVersion(1, 1));
        next.frame().release();
    }

    @Test
    void snapshotIsNeverOlderThanTheQuestion() {
        var first = next(MetadataVersion.NONE);
        append();
        append();

        var second = next(MetadataVersion.NONE);
        assertThat(second.isSnapshot()).isTrue();
        assertThat(second.to()).as("a broker deletes what its first image does not name").isEqualTo(image.version());
        assertThat(next(first.to()).isSnapshot()).as("deltas lead on from the first one").isFalse();
    }

    @Test
    void snapshotServesAllWhoAskBeforeTheImageGoesOn() {
        var first = next(MetadataVersion.NONE).frame();
        var second = next(MetadataVersion.NONE).frame();

        assertThat(second.unwrap()).isSameAs(first.unwrap());
    }

    @Test
    void framesAreGivenBackOnceNobodyNeedsThem() {
        var snapshot = next(MetadataVersion.NONE).frame();
        append();
        var delta = next(new MetadataVersion(1, 0)).frame();

        backlog.reset(ClusterImage.EMPTY);

        for (ByteBuf frame : List.of(snapshot, delta)) {
            assertThat(frame.refCnt()).isEqualTo(1);
            frame.release();
            assertThat(frame.refCnt()).isZero();
        }
    }

    private Backlog.Next next(MetadataVersion sent) {
        return Objects.requireNonNull(backlog.next(sent));
    }

    private void append() {
        var delta = new Delta(image.version(), image.version().next(), List.of(new ClusterIdentified("c" + image
                .version())));
        image = Replay.apply(image, delta);
        backlog.append(delta, image);
    }
}
