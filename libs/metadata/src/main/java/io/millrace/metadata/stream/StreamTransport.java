package io.millrace.metadata.stream;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import io.millrace.metadata.controller.ControllerAddress;

/// How a node reaches the controller's end of a stream.
@FunctionalInterface
interface StreamTransport {

    /// Opens one exchange and says `hello` on it.
    ///
    /// @param received takes one message; the next is read once what it returns completes
    /// @param ended told once, on any thread, unless this side closes it first
    Exchange open(ControllerAddress address, Hello hello, Function<StreamMessage, CompletableFuture<Void>> received,
            Consumer<Throwable> ended);

    /// One exchange with one controller: messages go up, messages come down one at a time.
    interface Exchange {

        /// Sends `message`; drops it where so much waits already that the stream is as good as dead. One caller at a time.
        void send(StreamMessage message);

        /// Ends it without a word to `ended`. Callable from any thread.
        void close();
    }
}
