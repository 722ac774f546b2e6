package io.millrace.wire.refusal;

import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Why a request is refused.
///
/// @param message for people; null for none
/// @param version of the answer
record Refusal(Errors error, @Nullable String message, short version) {
    short code() {
        return error.code();
    }
}
