package io.millrace.service.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.command.AllocateProducerIds;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class InitProducerIdHandlerTest {
    private final FakeController controller = new FakeController();
    private final InitProducerIdHandler handler = new InitProducerIdHandler(new ProducerIds(controller, 7, () -> 70),
            (_, _) -> CompletableFuture.completedFuture(new InitProducerIdResponseData().setProducerId(4711)));
    private long next = 1_000;

    private Object block() {
        var given = new AllocateProducerIds.ProducerIds(next, 10);
        next += 10;
        return given;
    }

    private InitProducerIdResponseData ask(InitProducerIdRequestData request) {
        return Calls.call(handler, request, 5);
    }

    @Test
    void idsAreGivenOnceEachAndBlocksAskedForAhead() {
        controller.answers(_ -> block());
        var ids = new HashSet<Long>();

        for (int i = 0; i < 9; i++) {
            ids.add(ask(new InitProducerIdRequestData().setTransactionalId(null)).producerId());
        }
        assertThat(controller.asked).as("a tenth is left: the next block is on its way").hasSize(2)
                .containsOnly(new AllocateProducerIds(7, 70));

        for (int i = 0; i < 41; i++) {
            var answer = ask(new InitProducerIdRequestData().setTransactionalId(null));
            assertThat(answer.producerEpoch()).isZero();
            ids.add(answer.producerId());
        }
        assertThat(ids).hasSize(50).allMatch(id -> id >= 1_000);
    }

    @Test
    void thoseWhoCameBeforeTheFirstBlockWaitForIt() {
        var later = new CompletableFuture<Object>();
        controller.answersLater(later);
        var answers = new ArrayList<CompletableFuture<InitProducerIdResponseData>>();
        for (int i = 0; i < 12; i++) {
            answers.add(Calls.start(handler, new InitProducerIdRequestData().setTransactionalId(null), 4));
        }
        assertThat(answers).noneMatch(CompletableFuture::isDone);
        assertThat(controller.asked).hasSize(1);

        controller.answers(_ -> block());
        later.complete(block());

        assertThat(answers).allMatch(CompletableFuture::isDone);
        assertThat(answers).extracting(answer -> answer.join().producerId()).doesNotHaveDuplicates();
    }

    @Test
    void whereTheControllerGivesNoneTheClientAsksAgain() {
        controller.fails(new IOException("away"));
        assertThat(Errors.forCode(ask(new InitProducerIdRequestData().setTransactionalId(null)).errorCode()))
                .isEqualTo(Errors.COORDINATOR_LOAD_IN_PROGRESS);

        controller.answers(_ -> block());
        assertThat(ask(new InitProducerIdRequestData().setTransactionalId(null)).producerId()).isEqualTo(1_000);
    }

    @Test
    void producersWithATransactionalIdGetTheirsElsewhere() {
        assertThat(ask(new InitProducerIdRequestData().setTransactionalId("t")).producerId()).isEqualTo(4711);
        assertThat(Errors.forCode(ask(new InitProducerIdRequestData().setTransactionalId("")).errorCode()))
                .isEqualTo(Errors.INVALID_REQUEST);
    }

    @Test
    void anIdAndItsEpochComeTogether() {
        controller.answers(_ -> block());

        assertThat(Errors.forCode(ask(new InitProducerIdRequestData().setTransactionalId(null).setProducerId(5))
                .errorCode())).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(ask(new InitProducerIdRequestData().setTransactionalId(null).setProducerId(5)
                .setProducerEpoch((short) 3)).producerId()).isEqualTo(1_000);
    }
}
