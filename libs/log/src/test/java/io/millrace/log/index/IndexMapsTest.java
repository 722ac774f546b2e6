package io.millrace.log.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

import io.millrace.log.disk.CappedDisk;
import io.millrace.log.disk.Disk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Indexes where only so many files may be mapped.
class IndexMapsTest {
    private static final int ENTRIES = 1_000;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 100})
    void answerTheSameWithAndWithoutMaps(int maps) throws IOException {
        var disk = new CappedDisk(Disk.FILES, 1, maps);
        var offsets = new OffsetIndex(disk, folder.resolve("0.index"), 0, 1 << 20);
        var times = new TimeIndex(disk, folder.resolve("0.timeindex"), 0, 1 << 20);
        for (int i = 1; i <= ENTRIES; i++) {
            offsets.append(10L * i, 100 * i);
            times.appendIfLater(1_000L * i, 10L * i);
            assertThat(offsets.lastOffset()).isEqualTo(10L * i);
            assertThat(offsets.positionBefore(10L * i + 5)).isEqualTo(100 * i);
        }
        assertAnswers(offsets, times, ENTRIES);
        offsets.truncateTo(10L * ENTRIES - 5);
        times.truncateTo(10L * ENTRIES - 5);
        assertAnswers(offsets, times, ENTRIES - 1);
        times.sealIfLater(1_000L * ENTRIES, 10L * ENTRIES);
        offsets.append(10L * ENTRIES, 100 * ENTRIES);
        offsets.trim();
        times.trim();
        offsets.sync();
        times.sync();
        assertAnswers(offsets, times, ENTRIES);
        assertThat(disk.maps().taken()).isLessThanOrEqualTo(maps);
        offsets.unmap();
        times.unmap();
        assertThat(disk.maps().taken()).isZero();

        var offsetsAgain = new OffsetIndex(disk, folder.resolve("0.index"), 0, 1 << 20);
        var timesAgain = new TimeIndex(disk, folder.resolve("0.timeindex"), 0, 1 << 20);
        assertThat(offsetsAgain.isSane(100 * ENTRIES + 1)).isTrue();
        assertThat(timesAgain.isSane()).isTrue();
        assertAnswers(offsetsAgain, timesAgain, ENTRIES);
        offsetsAgain.unmap();
        timesAgain.unmap();
    }

    @Test
    void areNotMappedForASingleLook() throws IOException {
        var disk = new CappedDisk(Disk.FILES, 1, 100);
        var made = new OffsetIndex(disk, folder.resolve("0.index"), 0, 1 << 10);
        made.append(10, 100);
        made.append(20, 200);
        made.trim();
        made.unmap();

        var index = new OffsetIndex(disk, folder.resolve("0.index"), 0, 1 << 10);
        assertThat(index.isSane(201)).isTrue();
        assertThat(index.lastOffset()).isEqualTo(20);
        assertThat(disk.maps().taken()).isZero();
        assertThat(index.positionBefore(15)).isEqualTo(100);
        assertThat(disk.maps().taken()).isOne();
        index.unmap();
    }

    private static void assertAnswers(OffsetIndex offsets, TimeIndex times, int entries) {
        assertThat(offsets.positionBefore(9)).isZero();
        for (int i = 1; i <= entries; i += 37) {
            assertThat(offsets.positionBefore(10L * i)).isEqualTo(100 * i);
            assertThat(offsets.offsetFrom(100 * i)).hasValue(10L * i);
            assertThat(times.before(1_000L * i)).isEqualTo(new TimeIndex.Entry(1_000L * i, 10L * i));
        }
        assertThat(offsets.lastOffset()).isEqualTo(10L * entries);
        assertThat(times.last()).isEqualTo(new TimeIndex.Entry(1_000L * entries, 10L * entries));
    }
}
