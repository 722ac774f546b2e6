package io.millrace.wire.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;

import io.millrace.wire.connection.ConnectionState.Closed;
import io.millrace.wire.connection.ConnectionState.Event;
import io.millrace.wire.connection.ConnectionState.Event.Broken;
import io.millrace.wire.connection.ConnectionState.Event.DrainAsked;
import io.millrace.wire.connection.ConnectionState.Event.InputEnded;
import io.millrace.wire.connection.ConnectionState.Event.NothingInHand;
import io.millrace.wire.connection.ConnectionState.Finishing;
import io.millrace.wire.connection.ConnectionState.Open;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectionStateTest {

    @ParameterizedTest
    @MethodSource("steps")
    void eachEventLeadsWhereTheDiagramSays(ConnectionState now, Event event, ConnectionState next) {
        assertThat(ConnectionState.next(now, event)).isEqualTo(next);
    }

    static Stream<Arguments> steps() {
        var finishing = new Finishing("drained");
        var closed = new Closed("idle");
        return Stream.of(Arguments.of(new Open(), new InputEnded(), new Finishing("client ended")),
                Arguments.of(new Open(), new DrainAsked(), finishing),
                Arguments.of(new Open(), new NothingInHand(), new Open()),
                Arguments.of(new Open(), new Broken("reset"), new Closed("reset")),
                Arguments.of(finishing, new InputEnded(), finishing),
                Arguments.of(finishing, new DrainAsked(), finishing),
                Arguments.of(finishing, new NothingInHand(), new Closed("drained")),
                Arguments.of(finishing, new Broken("reset"), new Closed("reset")),
                Arguments.of(closed, new InputEnded(), closed),
                Arguments.of(closed, new DrainAsked(), closed),
                Arguments.of(closed, new NothingInHand(), closed),
                Arguments.of(closed, new Broken("reset"), closed));
    }
}
