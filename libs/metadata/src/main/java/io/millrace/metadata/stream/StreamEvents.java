package io.millrace.metadata.stream;

import java.util.function.Consumer;

import io.micrometer.core.instrument.Counter;

/// Whom a [SubscriberStream] tells what.
///
/// @param ended each stream once, whether its node said hello or not
record StreamEvents(SubscriberListener listener, Consumer<SubscriberStream> ended, Counter snapshots, Counter deltas) {
    void sent(boolean snapshot) {
        (snapshot ? snapshots : deltas).increment();
    }
}
