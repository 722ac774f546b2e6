package io.millrace.wire.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class AnswerErrorsTest {

    @Test
    void answersErrorIsFoundWhereItsKindHasOne() {
        assertThat(AnswerErrors.of(new JoinGroupResponseData().setErrorCode(Errors.MEMBER_ID_REQUIRED.code())))
                .isEqualTo(Errors.MEMBER_ID_REQUIRED);
        assertThat(AnswerErrors.of(new JoinGroupResponseData())).isEqualTo(Errors.NONE);
        assertThat(AnswerErrors.of(new ProduceResponseData())).isEqualTo(Errors.NONE);
    }
}
