package io.millrace.wire.api;

import java.util.concurrent.CompletableFuture;

import io.millrace.wire.refusal.Refusals;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// One Kafka API. The frame is decoded, its version supported and its principal known before [#handle] is called.
///
/// @param <Q> the request, as kafka-clients' message classes have it
/// @param <A> the answer
public interface ApiHandler<Q extends ApiMessage, A extends ApiMessage> {

    /// The API served; one handler an API.
    ApiKeys api();

    /// Answers `request`, on the connection's event loop; never blocks. The future may complete on any thread.
    ///
    /// Records inside `request` are slices of the received frame: valid until this returns, so what is kept is copied.
    /// A failure (thrown, or the future's) becomes [#refuse] with the code of [io.millrace.wire.error.Failures#errorOf].
    /// Slices of files in the answer ([io.millrace.wire.codec.FileSlice]) are released by the connection, sent or not.
    CompletableFuture<A> handle(Q request, RequestContext context);

    /// The connection died before `answer`, which [#handle] returned, was there: nobody waits for it any more. On the
    /// connection's event loop. Whoever holds something for a waiting client lets go of it here.
    default void abandoned(CompletableFuture<A> answer) {}

    /// The same request refused: every part of the answer carries `error`, since clients look at the parts. The default
    /// knows this form for every API of [VersionTable#MILLRACE].
    ///
    /// @param message for people, where this version of the answer has room for it; null for none
    @SuppressWarnings("unchecked") // Refusals answers a message class with its pair, by the API's key
    default A refuse(Q request, Errors error, @Nullable String message, short version) {
        return (A) Refusals.refuse(request, error, message, version);
    }

    /// Whether the client waits for an answer. False only for a Produce with acks=0: its answer is dropped, and a failure
    /// closes the connection, which is all the client can notice.
    default boolean answered(Q request) {
        return true;
    }
}
