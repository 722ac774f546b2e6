package io.millrace.log;

import static io.millrace.log.batch.TestBatch.batch;
import static io.millrace.log.batch.TestBatch.marker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.producer.ProducerSummary;
import io.millrace.log.producer.TransactionLeave;
import io.millrace.log.producer.TransactionTerms;
import io.millrace.log.producer.TransactionTerms.EndsOlderEpoch;
import io.millrace.log.producer.TransactionTerms.Verified;
import io.millrace.log.transaction.AbortedTransaction;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransactionsTest {
    private static final long ID = 7;
    private static final short EPOCH = 3;

    @TempDir
    Path root;
    private LogFixture fixture;

    @BeforeEach
    void open() throws IOException {
        fixture = new LogFixture(root).open();
    }

    private static TestBatch data(int sequence) {
        return batch().producer(ID, EPOCH, sequence).inTransaction();
    }

    private void write(ByteBuffer bytes, AppendOrigin origin, TransactionTerms terms) throws IOException {
        fixture.log.append(bytes, 0, origin, terms);
    }

    private void end(int epoch, boolean committed, int coordinatorEpoch) throws IOException {
        write(marker(ID, epoch, committed, coordinatorEpoch), AppendOrigin.COORDINATOR, TransactionTerms.FREE);
    }

    private Errors refused(ByteBuffer bytes, AppendOrigin origin, TransactionTerms terms) {
        long before = fixture.log.logEndOffset();
        var refused = catchThrowableOfType(LogRefused.class, () -> write(bytes, origin, terms));
        assertThat(fixture.log.logEndOffset()).isEqualTo(before);
        return refused.error();
    }

    private Errors refusedEnd(int epoch, int coordinatorEpoch, TransactionTerms terms) {
        return refused(marker(ID, epoch, true, coordinatorEpoch), AppendOrigin.COORDINATOR, terms);
    }

    private @Nullable TransactionLeave leave(int sequence) {
        return fixture.log.leave(ID, EPOCH, sequence);
    }

    private ProducerSummary producer() {
        return fixture.log.activeProducers().getFirst();
    }

    @Test
    void anOpenTransactionHoldsBackTheLastStableOffsetUntilItsMarkerIsReplicated() throws IOException {
        fixture.append(batch());
        fixture.append(data(0));
        fixture.append(batch());
        assertThat(fixture.log.lastStableOffset()).isEqualTo(1);

        end(EPOCH, true, 0);
        assertThat(fixture.log.lastStableOffset()).isEqualTo(1);
        fixture.log.updateHighWatermark(3);
        assertThat(fixture.log.lastStableOffset()).isEqualTo(1);
        fixture.log.updateHighWatermark(4);
        assertThat(fixture.log.lastStableOffset()).isEqualTo(4);
    }

    @Test
    void aMarkerOfAnOlderProducerEpochIsRefused() throws IOException {
        fixture.append(data(0));

        assertThat(refusedEnd(EPOCH - 1, 0, TransactionTerms.FREE)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        end(EPOCH, true, 0);
        end(EPOCH + 1, false, 0);
        assertThat(producer().producerEpoch()).isEqualTo((short) (EPOCH + 1));
    }

    @Test
    void aMarkerOfAnOlderCoordinatorIsRefused() throws IOException {
        fixture.append(data(0));
        end(EPOCH, true, 5);

        assertThat(refusedEnd(EPOCH, 4, TransactionTerms.FREE)).isEqualTo(Errors.TRANSACTION_COORDINATOR_FENCED);
        end(EPOCH, true, 5);
        end(EPOCH, true, 6);
        fixture.restart();
        assertThat(producer().coordinatorEpoch()).isEqualTo(6);
        assertThat(refusedEnd(EPOCH, 5, TransactionTerms.FREE)).isEqualTo(Errors.TRANSACTION_COORDINATOR_FENCED);
        fixture.crash();
        assertThat(refusedEnd(EPOCH, 5, TransactionTerms.FREE)).isEqualTo(Errors.TRANSACTION_COORDINATOR_FENCED);
    }

    @Test
    void inTransactionsV2AMarkerEndsNothingThatBeganInItsOwnEpoch() throws IOException {
        fixture.append(data(0));

        assertThat(refusedEnd(EPOCH, 0, new EndsOlderEpoch())).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        var marker = marker(ID, EPOCH + 1, true, 0);
        write(marker, AppendOrigin.COORDINATOR, new EndsOlderEpoch());
        assertThat(producer().currentTransactionStartOffset()).isEqualTo(-1);
        assertThatCode(() -> write(marker(ID, EPOCH + 1, true, 0), AppendOrigin.COORDINATOR, new EndsOlderEpoch()))
                .doesNotThrowAnyException();
    }

    @Test
    void aRepeatedAbortMarkerAddsNothingToTheIndex() throws IOException {
        fixture.append(data(0));
        end(EPOCH, false, 0);
        end(EPOCH, false, 0);
        fixture.log.updateHighWatermark(3);

        try (var slice = Objects.requireNonNull(fixture.log.readCommitted(0, 1000, true).slice())) {
            assertThat(slice.size()).isPositive();
        }
        var read = fixture.log.readCommitted(0, 1000, true);
        Objects.requireNonNull(read.slice()).close();
        assertThat(read.aborted()).containsExactly(new AbortedTransaction(ID, 0, 1, 2));
    }

    @Test
    void recordsOutsideOfATransactionAreRefusedWhileItIsOpen() throws IOException {
        fixture.append(data(0));

        assertThat(refused(batch().producer(ID, EPOCH, 1).bytes(), AppendOrigin.CLIENT, TransactionTerms.FREE))
                .isEqualTo(Errors.INVALID_TXN_STATE);
    }

    @Test
    void aTransactionBeginsOnlyWithALeaveThatNoMarkerHasEnded() throws IOException {
        assertThat(refused(data(0).bytes(), AppendOrigin.CLIENT, new Verified(null))).isEqualTo(
                Errors.INVALID_TXN_STATE);
        var ended = leave(0);
        assertThat(ended).isNotNull();
        end(EPOCH, false, 0);
        assertThat(refused(data(0).bytes(), AppendOrigin.CLIENT, new Verified(ended))).isEqualTo(
                Errors.INVALID_TXN_STATE);

        var given = leave(0);
        write(data(0).bytes(), AppendOrigin.CLIENT, new Verified(given));
        assertThat(leave(1)).as("none is needed while it is open").isNull();
        write(data(1).bytes(), AppendOrigin.CLIENT, new Verified(null));
        end(EPOCH, true, 0);
        assertThat(refused(data(2).bytes(), AppendOrigin.CLIENT, new Verified(given))).isEqualTo(
                Errors.INVALID_TXN_STATE);
    }

    @Test
    void aTransactionDoesNotBeginOnTheWordOfACoordinatorThatWasDeposedBeforeTheLastOneEnded() throws IOException {
        fixture.append(data(0));
        end(EPOCH, false, 5);
        fixture.restart();
        var given = leave(1);

        assertThat(refused(data(1).bytes(), AppendOrigin.CLIENT, new Verified(given, 4))).isEqualTo(
                Errors.TRANSACTION_COORDINATOR_FENCED);
        write(data(1).bytes(), AppendOrigin.CLIENT, new Verified(given, 5));
    }

    /// Nobody knows which of them the coordinator will confirm.
    @Test
    void aLeaveIsForItsOwnEpochAlone() throws IOException {
        var mine = leave(0);
        var other = fixture.log.leave(ID, (short) (EPOCH + 1), 0);

        assertThat(refused(data(0).bytes(), AppendOrigin.CLIENT, new Verified(other))).isEqualTo(
                Errors.INVALID_TXN_STATE);
        write(data(0).bytes(), AppendOrigin.CLIENT, new Verified(mine));
    }

    @Test
    void aLeaveThatWasWithdrawnIsNone() {
        var given = Objects.requireNonNull(leave(0));
        fixture.log.withdraw(ID, given);

        assertThat(refused(data(0).bytes(), AppendOrigin.CLIENT, new Verified(given))).isEqualTo(
                Errors.INVALID_TXN_STATE);
    }

    @Test
    void aBatchBeforeWhichOneIsMissingIsRefusedEvenOfAnUnknownProducer() throws IOException {
        var first = leave(0);
        var second = leave(5);

        assertThat(refused(data(5).bytes(), AppendOrigin.CLIENT, new Verified(second))).isEqualTo(
                Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        write(data(0).bytes(), AppendOrigin.CLIENT, new Verified(first));
    }

    @Test
    void aTransactionWhoseBeginningWasDeletedHoldsBackTheRest() throws IOException {
        fixture.append(data(0));
        fixture.append(batch());
        fixture.append(batch());

        fixture.log.deleteRecordsBefore(2);

        assertThat(fixture.log.lastStableOffset()).isEqualTo(2);
        end(EPOCH, true, 0);
        fixture.log.updateHighWatermark(4);
        assertThat(fixture.log.lastStableOffset()).isEqualTo(4);
    }

    @Test
    void anOpenTransactionIsKnownAfterACrashAndItsProducerIsNotForgotten() throws IOException {
        fixture.append(data(0));
        fixture.log.roll();
        fixture.append(batch());

        fixture.crash();
        fixture.loop.advance(Duration.ofDays(30));

        assertThat(fixture.log.expireProducers()).isZero();
        assertThat(producer()).isEqualTo(new ProducerSummary(ID, EPOCH, 0, 1000, -1, 0));
        assertThat(fixture.log.lastStableOffset()).isZero();
    }

    @Test
    void abortedTransactionsAreToldAcrossSegmentsAndOnlyWhereTheyMatter() throws IOException {
        fixture.append(data(0));
        fixture.log.roll();
        fixture.append(batch().valueOf(500));
        fixture.log.roll();
        end(EPOCH, false, 0);
        fixture.append(batch());
        fixture.log.updateHighWatermark(4);

        assertThat(aborted(0)).hasSize(1);
        assertThat(aborted(1)).hasSize(1);
        assertThat(aborted(3)).isEmpty();
        fixture.crash();
        assertThat(aborted(0)).hasSize(1);
    }

    private List<AbortedTransaction> aborted(long from) throws IOException {
        var read = fixture.log.readCommitted(from, 10_000, true);
        Objects.requireNonNull(read.slice()).close();
        return read.aborted();
    }
}
