package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.TestBatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What counts as written with group commit, and when.
class GroupCommitTest {
    @TempDir
    Path root;

    private LogFixture fixture;
    private final FailingDisk disk = new FailingDisk();
    private final List<Long> commits = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        fixture = new LogFixture(root);
        fixture.disk = disk;
        fixture.groupCommit = true;
        fixture.open();
        fixture.log.onCommit(() -> commits.add(fixture.log.durableEnd()));
    }

    private void append(int records) throws IOException {
        fixture.log.append(TestBatch.batch().records(records).bytes(), 0, AppendOrigin.CLIENT);
    }

    @Test
    void whatIsAppendedCountsOnceItIsSynced() throws IOException {
        append(3);
        assertThat(fixture.log.durableEnd()).isZero();
        assertThat(fixture.log.logEndOffset()).isEqualTo(3);

        fixture.loop.runPending();

        assertThat(fixture.log.durableEnd()).isEqualTo(3);
        assertThat(commits).containsExactly(3L);
        assertThat(fixture.log.recoveryPoint()).as("the indexes were not synced").isZero();
    }

    @Test
    void appendsThatComeBeforeTheFsyncShareIt() throws IOException {
        for (int i = 0; i < 50; i++) {
            append(1);
        }

        fixture.loop.runPending();

        assertThat(commits).containsExactly(50L);
    }

    @Test
    void batchesInSeveralSegmentsAreCommitted() throws IOException {
        append(1);
        fixture.log.roll();
        append(1);
        fixture.log.roll();
        append(1);

        fixture.loop.runPending();

        assertThat(fixture.log.durableEnd()).isEqualTo(3);
    }

    @Test
    void aCutTakesBackWhatWasCommittedAbove() throws IOException {
        append(1);
        append(1);
        fixture.loop.runPending();

        fixture.log.truncateTo(1);
        assertThat(fixture.log.durableEnd()).isEqualTo(1);

        append(1);
        assertThat(fixture.log.durableEnd()).isEqualTo(1);
        fixture.loop.runPending();
        assertThat(fixture.log.durableEnd()).isEqualTo(2);
    }

    @Test
    void nothingCountsOnADiskThatFails() throws IOException {
        append(1);
        disk.failWrites();

        fixture.loop.runPending();

        assertThat(fixture.log.durableEnd()).isZero();
        assertThat(commits).isEmpty();
        assertThat(fixture.failures).hasSize(1);
        assertThatThrownBy(() -> append(1)).isInstanceOf(IOException.class);
    }

    @Test
    void withoutItEverythingCountsAtOnce() throws IOException {
        fixture.log.close();
        fixture.groupCommit = false;
        fixture.open();
        append(1);

        assertThat(fixture.log.durableEnd()).isEqualTo(1);
    }
}
