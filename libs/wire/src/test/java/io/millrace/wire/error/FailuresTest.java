package io.millrace.wire.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailuresTest {

    @ParameterizedTest
    @MethodSource("failures")
    void eachFailureHasItsCode(Throwable failure, Errors error) {
        assertThat(Failures.errorOf(failure)).isEqualTo(error);
        assertThat(Failures.errorOf(new CompletionException(new ExecutionException(failure)))).isEqualTo(error);
    }

    static Stream<Arguments> failures() {
        return Stream.of(Arguments.of(new Refused(Errors.FENCED_LEADER_EPOCH, "3 < 4"), Errors.FENCED_LEADER_EPOCH),
                Arguments.of(new InvalidTopicException("a b"), Errors.INVALID_TOPIC_EXCEPTION),
                Arguments.of(new TimeoutException(), Errors.REQUEST_TIMED_OUT),
                Arguments.of(new IOException("disk"), Errors.KAFKA_STORAGE_ERROR),
                Arguments.of(new NodeUnreachable("b:1", null), Errors.NETWORK_EXCEPTION),
                Arguments.of(new IllegalStateException("secret"), Errors.UNKNOWN_SERVER_ERROR),
                Arguments.of(new CompletionException("no cause", null), Errors.UNKNOWN_SERVER_ERROR));
    }

    @Test
    void onlyARefusalsTextIsForClients() {
        assertThat(Failures.messageOf(new CompletionException(new Refused(Errors.INVALID_REQUEST, "why"))))
                .isEqualTo("why");
        assertThat(Failures.messageOf(new IOException("/var/data"))).isNull();
        assertThat(Failures.messageOf(new IllegalStateException("secret"))).isNull();
    }

    @Test
    void aRefusalCostsNoStackTraceAndIsNeverWithoutError() {
        assertThat(new Refused(Errors.INVALID_REQUEST, "why").getStackTrace()).isEmpty();
        assertThatThrownBy(() -> new Refused(Errors.NONE, "why")).isInstanceOf(IllegalArgumentException.class);
    }
}
