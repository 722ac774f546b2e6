package io.millrace.metadata.stream;

import io.millrace.metadata.image.MetadataVersion;

/// What the controller hears of its subscribers. Called on the event loop of the subscriber's connection; never blocks. For
/// one subscriber: [#connected], then [#applied] any number of times, then [#disconnected] once.
public interface SubscriberListener {

    /// A node said hello. It has not applied anything of this stream yet.
    void connected(Subscriber subscriber);

    /// A node took over that version.
    void applied(Subscriber subscriber, MetadataVersion version);

    /// The stream ended: the node went, was silent for too long, or was dropped.
    void disconnected(Subscriber subscriber);
}
