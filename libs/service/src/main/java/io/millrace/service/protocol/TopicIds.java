package io.millrace.service.protocol;

import java.util.UUID;

import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/// Topic ids as the image has them and as Kafka's messages have them: the same 128 bits.
public final class TopicIds {
    private TopicIds() {}

    /// For a message; [Uuid#ZERO_UUID], Kafka's word for none, where there is none.
    public static Uuid toKafka(@Nullable UUID id) {
        return id == null ? Uuid.ZERO_UUID : new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    /// Out of a message.
    public static UUID fromKafka(Uuid id) {
        return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }
}
