package io.millrace.broker.fetch;

import org.apache.kafka.common.Uuid;

/// A partition as a fetch names it.
///
/// @param topic empty where the request speaks of ids (version 13 and later)
/// @param topicId [Uuid#ZERO_UUID] where the request speaks of names
record FetchKey(String topic, Uuid topicId, int partition) {

    boolean byId() {
        return !Uuid.ZERO_UUID.equals(topicId);
    }
}
